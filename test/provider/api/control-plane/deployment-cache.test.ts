/** Reads of deployments that many resources share, counted in the request log of the emulator. */
import { ControlPlaneClient, type Deployment } from "../../../../provider/api/control-plane/client";
import { DeploymentCache } from "../../../../provider/api/control-plane/deployment-cache";
import { type Platform, startPlatform } from "../../../support/platform";
import { openJsonClient } from "../../../support/servers/http-client";

const LIST = "GET /v2/deployments";

async function workspaceOf(
  count: number,
): Promise<{ platform: Platform; ids: string[]; names: string[]; createCache: () => DeploymentCache }> {
  const platform = await startPlatform();
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const { deployments: ids = [] } = await platform.emulator.seed({ deployments: names.map((name) => ({ name })) });
  const createCache = () => {
    const { jsonClient } = openJsonClient(new URL(platform.url), { clock: platform.clock });
    const controlPlane = new ControlPlaneClient(jsonClient, platform.clock);
    return new DeploymentCache(controlPlane, platform.clock);
  };
  return { platform, ids, names, createCache };
}

/** Runs tasks as the engine does: `width` at a time, the next one as soon as one is done. */
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
it("DeploymentCache sends at most three requests, all for the list, for a hundred reads by ID", async () => {
  const { platform, ids, createCache } = await workspaceOf(100);
  const cache = createCache();
  const results = await inParallel(
    ids.map((id) => () => cache.findById(id)),
    16,
  );
  expect(results.map((deployment) => deployment?.id)).toEqual(ids);
  const requests = platform.requests();
  expect(new Set(requests)).toEqual(new Set([LIST]));
  expect(requests.length).toBeLessThanOrEqual(3);
});

it("DeploymentCache sends at most five list requests for a hundred reads by names that do not exist", async () => {
  const { platform, createCache } = await workspaceOf(0);
  const cache = createCache();
  const names = Array.from({ length: 100 }, (_, index) => `new-${index}`);
  expect(
    await inParallel(
      names.map((name) => () => cache.findByName(name)),
      16,
    ),
  ).toEqual(names.map(() => undefined));
  expect(platform.requests().length).toBeLessThanOrEqual(5);
});

it("DeploymentCache sends no request for free names minutes later, although the workspace has grown", async () => {
  const { platform, createCache } = await workspaceOf(0);
  const cache = createCache();
  await cache.findByName("first");
  await platform.emulator.seed({ deployments: Array.from({ length: 500 }, (_, index) => ({ name: `new-${index}` })) });
  await platform.advance(5 * 60_000);
  const before = platform.requests().length;
  for (const name of ["one", "two"]) expect(await cache.findByName(name)).toBeUndefined();
  expect(platform.requests()).toHaveLength(before);
});

it("DeploymentCache reads a single deployment by its ID", async () => {
  const { platform, ids, createCache } = await workspaceOf(3);
  expect(await createCache().findById(String(ids[1]))).toMatchObject({ name: "agent-1" });
  expect(platform.requests()).toEqual(["GET /v2/deployments/{id}"]);
});

it("DeploymentCache reads what no list contains by itself, and returns undefined only for a 404", async () => {
  const { ids, createCache } = await workspaceOf(2);
  const unknown = "66666666-6666-4666-8666-666666666666";
  const cache = createCache();
  const [first, none] = await Promise.all([cache.findById(String(ids[0])), cache.findById(unknown)]);
  expect([first?.name, none]).toEqual(["agent-0", undefined]);
});

it("DeploymentCache reports an error for one deployment to the caller that requested it alone", async () => {
  const { platform, ids, createCache } = await workspaceOf(2);
  const unlisted = "66666666-6666-4666-8666-666666666666";
  await platform.emulator.faults.add({ path: `/v2/deployments/${unlisted}`, status: 403, body: { detail: "no" } });
  const cache = createCache();
  const reads = [cache.findById(String(ids[0])), cache.findById(unlisted)] as const;
  await expect(reads[1]).rejects.toThrow("403");
  expect(await reads[0]).toMatchObject({ name: "agent-0" });
});

describe("A list in which one deployment has a form that is not known", () => {
  async function startOddList() {
    const { platform, ids, createCache } = await workspaceOf(2);
    const [odd, other] = ids.map((id, index) => ({ id, name: `agent-${index}`, status: "READY" }));
    const body = { resources: [{ ...odd, agent: "checkout" }, other] };
    for (const page of [body, { resources: [] }])
      await platform.emulator.faults.add({ method: "GET", path: "/v2/deployments", status: 200, body: page, times: 1 });
    return { ids, cache: createCache() };
  }

  it("is used for the others, and that one is read by itself", async () => {
    const { ids, cache } = await startOddList();
    const [odd, other] = await Promise.all(ids.map((id) => cache.findById(id)));
    expect(odd).toMatchObject({ name: "agent-0", source: expect.any(String) });
    expect(other).toMatchObject({ name: "agent-1" });
  });

  it("fails only for the name of that one", async () => {
    await expect((await startOddList()).cache.searchByName("agent-0")).rejects.toThrow("unexpected response: agent");
    expect(await (await startOddList()).cache.searchByName("agent-1")).toMatchObject({ name: "agent-1" });
  });

  it("fails for an agent or a URL that none of the others has, which that one may have", async () => {
    const binding = { agentId: "agent", environment: "0" };
    const byAgent = (await startOddList()).cache.searchByAgent(binding, () => false);
    await expect(byAgent).rejects.toThrow("unexpected response: agent");
    const byUrl = (await startOddList()).cache.findFirst(({ url }) => url === "https://agent.example");
    await expect(byUrl).rejects.toThrow("unexpected response: agent");
    const other = (await startOddList()).cache.findFirst(({ name }) => name === "agent-1");
    expect(await other).toMatchObject({ name: "agent-1" });
  });
});

it("DeploymentCache finds deployments beyond the cached pages", async () => {
  const { platform, ids, names, createCache } = await workspaceOf(450);
  const cache = createCache();
  const oldest = ids.slice(0, 5);
  const results = await Promise.all(oldest.map((id) => cache.findById(id)));
  expect(results.map((deployment) => deployment?.id)).toEqual(oldest);
  expect(platform.requests().length).toBeLessThanOrEqual(6);
  expect(await cache.findByName(String(names[0]))).toMatchObject({ id: ids[0] });
  expect(await cache.findByName("nobody")).toBeUndefined();
});

describe("A deployment name", () => {
  // @covers 4A.GET /v2/deployments.name_contains
  it("is compared exactly, on all pages of the deployments that contain it", async () => {
    const { platform, createCache } = await workspaceOf(130);
    const { deployments: [id] = [] } = await platform.emulator.seed({ deployments: [{ name: "agent" }] });
    await platform.emulator.seed({ deployments: Array.from({ length: 110 }, (_, i) => ({ name: `agent-x${i}` })) });
    expect(await createCache().searchByName("agent")).toMatchObject({ id });
    expect(await createCache().searchByName("gent")).toBeUndefined();
  });

  it("on a cached page is read again, since the deployment may have been deleted", async () => {
    const { platform, ids, createCache } = await workspaceOf(2);
    const cache = createCache();
    expect(await cache.findByName("free")).toBeUndefined();
    await platform.call("DELETE", `/_emulator/deployments/${ids[0]}`);
    expect(await cache.findByName("agent-0")).toBeUndefined();
  });
});

describe("Cached pages", () => {
  const readAll = (cache: DeploymentCache, ids: string[]): Promise<(Deployment | undefined)[]> =>
    Promise.all(ids.map((id) => cache.findById(id)));

  it("are read again when they expire", async () => {
    const { platform, ids, createCache } = await workspaceOf(2);
    const cache = createCache();
    await readAll(cache, ids);
    for (const id of ids) await platform.updateOutOfBand(id, { status: "UNUSED" });
    await platform.advance(30_000);
    expect((await readAll(cache, ids)).map((deployment) => deployment?.status)).toEqual(["UNUSED", "UNUSED"]);
  });

  it("are not used for deployments that this process changed", async () => {
    const { platform, ids, createCache } = await workspaceOf(2);
    const cache = createCache();
    await readAll(cache, ids);
    await platform.updateOutOfBand(String(ids[0]), { status: "UNUSED" });
    cache.recordChange({ id: String(ids[0]), name: "agent-0" });
    expect(await cache.findById(String(ids[0]))).toMatchObject({ status: "UNUSED" });
    expect(await cache.findByName("agent-0")).toMatchObject({ status: "UNUSED" });
  });

  it("are used while the next page is pending or has failed", async () => {
    const { platform, ids, createCache } = await workspaceOf(130);
    await platform.emulator.faults.add({ path: "/v2/deployments", skip: 1, status: 403 });
    const newest = ids.slice(-2);
    expect((await readAll(createCache(), newest)).map((deployment) => deployment?.id)).toEqual(newest);
  });

  it("that could not be read are requested again by the next read", async () => {
    const { platform, ids, createCache } = await workspaceOf(2);
    const cache = createCache();
    await platform.emulator.faults.add({ path: "/v2/deployments", status: 403 });
    await expect(readAll(cache, ids)).rejects.toThrow(": 403: ");
    expect(await readAll(cache, ids)).toMatchObject([{ name: "agent-0" }, { name: "agent-1" }]);
  });
});

it("DeploymentCache takes an accepted deletion as finished after one GET and one list, without a pause", async () => {
  const { platform, ids, createCache } = await workspaceOf(1);
  const [id = ""] = ids;
  const cache = createCache();
  await platform.call("DELETE", `/v2/deployments/${id}`);
  const requests = platform.requests().length;
  const begin = platform.clock.now();
  while ((await cache.findDeleted(id)) !== undefined) await platform.advance(500);
  expect(platform.requests().slice(-2).sort()).toEqual([LIST, "GET /v2/deployments/{id}"]);
  expect((platform.requests().length - requests) % 2).toBe(0);
  expect(platform.clock.now() - begin).toBeLessThan(2000);
});
