/** Injects every failure mode into every request of each operation: one more `up` always leads to the declared state. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import {
  ACTED_AFTER_TIMEOUT,
  failureCases,
  injectFailure,
  waitForDelayedRequest,
} from "../../../support/failure-modes";
import { type Platform, startPlatform } from "../../../support/platform";
import { OneShotProxy } from "../../../support/servers/one-shot-proxy";
import { Stack, stateOf } from "../../../support/stack";

const folder = mkdtempSync(join(tmpdir(), "agentgraph-test-"));
const content = (text: string) => writeFileSync(join(folder, "graph.py"), text);
beforeEach(() => {
  writeFileSync(join(folder, "agentgraph.json"), '{"graphs":{"agent":"./graph.py:graph"}}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const uploaded = (change: PropertyMap = {}): PropertyMap => ({
  ...{ source: "internal_source", name: "agent", sourcePath: folder },
  ...{ sourceRevisionConfig: { agentgraphConfigPath: "agentgraph.json" }, ...change },
});

const LIST = "GET /v2/deployments";
const POST = "POST /v2/deployments";
const ONE = "GET /v2/deployments/{id}";
const PATCH = "PATCH /v2/deployments/{id}";
const DELETE = "DELETE /v2/deployments/{id}";
/** The polls of a deletion: the list and the deployment together, until neither shows it. */
const DELETED = [LIST, ONE, LIST, ONE];
const REVISION = "GET /v2/deployments/{id}/revisions/{id}";
const REDEPLOY = "POST /v2/deployments/{id}/revisions/{id}/redeploy";
const UPLOAD = ["POST /deployments/{id}/upload-url", "PUT /uploads/{id}"];

interface Operation {
  /** Inputs of a deployment that exists before; none when absent. */
  before?: PropertyMap;
  /** Declared inputs; the operation is a destroy when absent. */
  declared?: () => PropertyMap;
  /** The requests of a run without failures; all polls of a wait count as one. */
  requests: string[];
  /** Number of revisions afterwards. */
  revisions: number;
}

const operations: Record<string, Operation> = {
  "a create from an image": { declared: () => dockerDeployment(), requests: [LIST, POST, REVISION, ONE], revisions: 1 },
  "an update of an image": {
    before: dockerDeployment(),
    declared: () => dockerDeployment({ ...withImage("2"), secrets: { A: "1" } }),
    requests: [ONE, PATCH, REVISION, ONE],
    revisions: 2,
  },
  "a triggered redeploy": {
    before: dockerDeployment({ redeployTriggers: { token: "1" } }),
    declared: () => dockerDeployment({ redeployTriggers: { token: "2" } }),
    requests: [ONE, REDEPLOY, REVISION, ONE],
    revisions: 2,
  },
  "a delete of an image's deployment": {
    before: dockerDeployment(),
    requests: [ONE, DELETE, ...DELETED],
    revisions: 0,
  },
  "a create from a folder": {
    declared: () => uploaded(),
    requests: [LIST, POST, ...UPLOAD, PATCH, REVISION, ONE],
    revisions: 1,
  },
  "an update from a folder": {
    before: uploaded(),
    declared: () => {
      content("after");
      return uploaded();
    },
    requests: [ONE, ...UPLOAD, PATCH, REVISION, ONE],
    revisions: 2,
  },
  "a delete of a folder's deployment": { before: uploaded(), requests: [ONE, DELETE, ...DELETED], revisions: 0 },
};

/**
 * Cases in which the server does not show whether it acted, so that the next run creates one more revision than needed: a
 * redeploy leaves a revision that equals the previous one, and a tarball is identified by its path, not by its content, so
 * one that was accepted after the last poll is not recognized.
 */
const mayRepeat = (operation: Operation, request: string, what: string) =>
  request === REDEPLOY ||
  (request === PATCH && what === ACTED_AFTER_TIMEOUT && operation.requests.some((one) => UPLOAD.includes(one)));

type Service = Pick<Platform, "clock" | "url">;

/** Sets up what exists before the operation; returns the operation. */
async function prepared(
  { before, declared }: Operation,
  open = async (platform: Platform): Promise<Service> => platform,
) {
  content("before");
  const platform = await startPlatform();
  const service = await open(platform);
  const stack = new Stack(service);
  if (before) await stack.up(before);
  await platform.emulator.requestLog.clear();
  const desired = declared?.();
  const act = (): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());
  return { platform, service, stack, act, desired };
}

/** Returns the requests, with all polls of a wait as one. */
const requestsOf = (platform: Platform) =>
  platform.requests().filter((request, index, all) => request !== all[index - 1]);

async function isAsDeclared(
  platform: Platform,
  stack: Stack,
  desired: PropertyMap,
  revisions: number[],
): Promise<void> {
  const { id, failed } = stateOf(stack);
  expect(failed).toBe(false);
  expect((await platform.deployments()).map((remote) => remote.id)).toEqual([id]);
  const remote = await platform.getDeployment(id);
  expect(remote.active_revision_id).toBe(remote.latest_revision_id);
  expect(stateOf(stack).outputs.activeRevisionId).toBe(remote.active_revision_id);
  expect(revisions).toContain(remote.revisions.length);
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(desired)).toBe("same");
}

describe.each(Object.entries(operations))("%s", (_what, operation) => {
  it("sends the requests that the tests below inject failures into", async () => {
    const { platform, stack, act, desired } = await prepared(operation);
    await act();
    expect(requestsOf(platform)).toEqual(operation.requests);
    if (desired) expect((await platform.getDeployment(stateOf(stack).id)).revisions).toHaveLength(operation.revisions);
  });

  it("succeeds in one run when the connection of each request is refused at first", async () => {
    const { platform, service, stack, act, desired } = await prepared(operation, OneShotProxy.start);
    const proxied = service as OneShotProxy;
    proxied.close();
    proxied.openCount = 0;
    await act();
    // The pauses before the repeated requests take time, so that a deletion may need fewer polls.
    expect(proxied.openCount).toBeGreaterThanOrEqual(new Set(operation.requests).size);
    if (desired) await isAsDeclared(platform, stack, desired, [operation.revisions]);
    else expect(await platform.deployments()).toEqual([]);
  });

  const cases = failureCases(operation.requests).map(
    ({ index, request, mode, after }) => [index + 1, request, mode, after] as const,
  );
  it.each(cases)(
    "whose request %i, %s, %s ends as declared after at most one retry",
    async (...[, request, what, after]) => {
      const { platform, stack, act, desired } = await prepared(operation);
      const { revisions } = operation;
      await injectFailure(platform, what, request, after);
      const error = await act().catch((failure: Error) => failure);
      expect(platform.emulator.faults.list()).toEqual([]);
      await waitForDelayedRequest(platform, what);
      if (error instanceof Error) await act();
      if (desired)
        await isAsDeclared(
          platform,
          stack,
          desired,
          mayRepeat(operation, request, what) ? [revisions, revisions + 1] : [revisions],
        );
      else expect([stack.state, await platform.deployments()]).toEqual([undefined, []]);
    },
  );
});
