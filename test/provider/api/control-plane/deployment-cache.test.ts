/** Look-ups that many resources share, counted by the service's own journal. */

import { CaseMapper } from "../../../../provider/api/case-mapper";
import { ControlPlaneClient, type Deployment } from "../../../../provider/api/control-plane/client";
import { DeploymentCache } from "../../../../provider/api/control-plane/deployment-cache";
import { failureOf } from "../../../support/errors";
import { openHttpClient } from "../../../support/http-client";
import { type Platform, startPlatform } from "../../../support/platform";

const LIST = "GET /v2/deployments";

async function workspaceOf(
  count: number,
): Promise<{ platform: Platform; ids: string[]; names: string[]; open: () => DeploymentCache }> {
  const platform = await startPlatform();
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const { deployments: ids = [] } = await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
  const open = () => {
    const { door } = openHttpClient(new URL(platform.url), { clock: platform.clock });
    const controlPlane = new ControlPlaneClient(door, new CaseMapper({ githost: "githost", agentgraph: "agentgraph" }));
    return new DeploymentCache(controlPlane, platform.clock);
  };
  return { platform, ids, names, open };
}

/** As the engine does it: so many at once, the next one as soon as one is done. */
async function inParallel<T>(work: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = [];
  const queue = [...work.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await next[1]();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

// @covers 4A.GET /v2/deployments.limit, 4A.GET /v2/deployments.deployment_ids
it("a hundred looks by id, sixteen at a time, cost at most three list requests and nothing else", async () => {
  const { platform, ids, open } = await workspaceOf(100);
  const directory = open();
  const seen = await inParallel(
    ids.map((id) => () => directory.findById(id)),
    16,
  );
  expect(seen.map((deployment) => deployment?.id)).toEqual(ids);
  const requests = platform.requests();
  expect(new Set(requests)).toEqual(new Set([LIST]));
  expect(requests.length).toBeLessThanOrEqual(3);
});

it("a hundred looks by a name that is free cost at most five list requests", async () => {
  const { platform, open } = await workspaceOf(0);
  const directory = open();
  const names = Array.from({ length: 100 }, (_, index) => `new-${index}`);
  expect(
    await inParallel(
      names.map((name) => () => directory.findByName(name)),
      16,
    ),
  ).toEqual(names.map(() => undefined));
  expect(platform.requests().length).toBeLessThanOrEqual(5);
});

it("a single look by id asks for the object itself", async () => {
  const { platform, ids, open } = await workspaceOf(3);
  expect(await open().findById(String(ids[1]))).toMatchObject({ name: "agent-1" });
  expect(platform.requests()).toEqual(["GET /v2/deployments/{id}"]);
});

it("what no list shows is asked by itself, and only a 404 means gone", async () => {
  const { ids, open } = await workspaceOf(2);
  const unknown = "66666666-6666-4666-8666-666666666666";
  const directory = open();
  const [first, none] = await Promise.all([directory.findById(String(ids[0])), directory.findById(unknown)]);
  expect([first?.name, none]).toEqual(["agent-0", undefined]);
});

it("trouble with one object is the trouble of that look alone", async () => {
  const { platform, ids, open } = await workspaceOf(2);
  const unlisted = "66666666-6666-4666-8666-666666666666";
  await platform.emulator.faults.add({ path: `/v2/deployments/${unlisted}`, status: 403, body: { detail: "no" } });
  const directory = open();
  const looks = [directory.findById(String(ids[0])), directory.findById(unlisted)] as const;
  expect((await failureOf(looks[1])).message).toContain("403");
  expect(await looks[0]).toMatchObject({ name: "agent-0" });
});

it("a workspace of more pages than are read at once is asked for the rest", async () => {
  const { platform, ids, names, open } = await workspaceOf(450);
  const directory = open();
  const oldest = ids.slice(0, 5);
  const seen = await Promise.all(oldest.map((id) => directory.findById(id)));
  expect(seen.map((deployment) => deployment?.id)).toEqual(oldest);
  expect(platform.requests().length).toBeLessThanOrEqual(6);
  expect(await directory.findByName(String(names[0]))).toMatchObject({ id: ids[0] });
  expect(await directory.findByName("nobody")).toBeUndefined();
});

describe("a name", () => {
  // @covers 4A.GET /v2/deployments.name_contains
  it("is compared exactly, through all pages of what contains it", async () => {
    const { platform, open } = await workspaceOf(130);
    const { deployments: [id] = [] } = await platform.emulator.seed({ deployments: [{ name: "agent" }] });
    await platform.emulator.seed({ deployments: Array.from({ length: 110 }, (_, i) => ({ name: `agent-x${i}` })) });
    expect(await open().searchByName("agent")).toMatchObject({ id });
    expect(await open().searchByName("gent")).toBeUndefined();
  });

  it("that a shared page shows is looked at once more, since it may be gone by now", async () => {
    const { platform, ids, open } = await workspaceOf(2);
    const directory = open();
    expect(await directory.findByName("free")).toBeUndefined();
    await platform.call("DELETE", `/_emulator/deployments/${ids[0]}`);
    expect(await directory.findByName("agent-0")).toBeUndefined();
  });
});

describe("shared pages", () => {
  const look = (directory: DeploymentCache, ids: string[]): Promise<(Deployment | undefined)[]> =>
    Promise.all(ids.map((id) => directory.findById(id)));

  it("are read anew after a while", async () => {
    const { platform, ids, open } = await workspaceOf(2);
    const directory = open();
    await look(directory, ids);
    for (const id of ids) await platform.updateOutOfBand(id, { status: "UNUSED" });
    await platform.advance(30_000);
    expect((await look(directory, ids)).map((deployment) => deployment?.status)).toEqual(["UNUSED", "UNUSED"]);
  });

  it("do not hide what this process changed itself", async () => {
    const { platform, ids, open } = await workspaceOf(2);
    const directory = open();
    await look(directory, ids);
    await platform.updateOutOfBand(String(ids[0]), { status: "UNUSED" });
    directory.recordChange({ id: String(ids[0]), name: "agent-0" });
    expect(await directory.findById(String(ids[0]))).toMatchObject({ status: "UNUSED" });
    expect(await directory.findByName("agent-0")).toMatchObject({ status: "UNUSED" });
  });

  it("tell what they show while the next page is on its way, or fails", async () => {
    const { platform, ids, open } = await workspaceOf(130);
    await platform.emulator.faults.add({ path: "/v2/deployments", skip: 1, status: 403 });
    const newest = ids.slice(-2);
    expect((await look(open(), newest)).map((deployment) => deployment?.id)).toEqual(newest);
  });

  it("that could not be read are asked for again by the next look", async () => {
    const { platform, ids, open } = await workspaceOf(2);
    const directory = open();
    await platform.emulator.faults.add({ path: "/v2/deployments", status: 403 });
    await expect(look(directory, ids)).rejects.toThrow(": 403: ");
    expect(await look(directory, ids)).toMatchObject([{ name: "agent-0" }, { name: "agent-1" }]);
  });
});
