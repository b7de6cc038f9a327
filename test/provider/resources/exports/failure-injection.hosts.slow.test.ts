/** Injects every failure mode into every request of each operation: nothing is created twice, and nothing is lost. */
import type { PropertyMap } from "../../../../provider/schema/schema";
import { failureOf } from "../../../support/errors";
import { startWorkspace, type Workspace } from "../../../support/exports";
import {
  ACTED_AFTER_TIMEOUT,
  failureCases,
  injectFailure,
  waitForDelayedRequest,
} from "../../../support/failure-modes";
import { isDynamicHost, type Stack, stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports";
const DESTINATION = `GET ${ALL}/destinations/{id}`;
const [LIST, POST] = [`GET ${ALL}`, `POST ${ALL}`];
const [READ, CANCEL, RUNS] = [`GET ${ALL}/{id}`, `PATCH ${ALL}/{id}`, `GET ${ALL}/{id}/runs`];

interface Operation {
  kind: "BulkExport" | "ScheduledBulkExport";
  /** Inputs of a resource that exists before; none when absent. */
  before?: PropertyMap;
  /** Declared inputs; the operation is a destroy when absent. */
  declared?: PropertyMap;
  /** The requests of a run without failures; all polls of a wait count as one. */
  requests: string[];
}

const cancelSpawned = { cancelSpawned: true };
const operations: Record<string, Operation> = {
  "a create that waits": {
    kind: "BulkExport",
    declared: { waitFor: "completed" },
    requests: [LIST, POST, LIST, READ, RUNS],
  },
  "a replacement": {
    kind: "BulkExport",
    before: {},
    declared: { filter: "eq(is_root, true)" },
    requests: [DESTINATION, LIST, READ, CANCEL, LIST, POST, LIST],
  },
  "a create of a schedule": { kind: "ScheduledBulkExport", declared: {}, requests: [LIST, POST, LIST] },
  "a destroy of a schedule": {
    kind: "ScheduledBulkExport",
    before: cancelSpawned,
    requests: [READ, CANCEL, LIST, CANCEL, CANCEL],
  },
};

async function prepared({ kind, before, declared }: Operation) {
  const ws = await startWorkspace();
  const write = kind === "BulkExport" ? ws.oneTime(before) : ws.daily(before);
  const stack = ws.stack(kind);
  if (before) {
    // The existing export keeps running, however long a failure lasts.
    await ws.emulator.faults.add({ export_run: { stalls: true }, times: 100 });
    await stack.up(write);
    await ws.advance(5000);
  }
  await ws.emulator.requestLog.clear();
  const desired = declared && { ...write, ...declared };
  const act = (): Promise<unknown> => (desired ? stack.up(desired) : stack.destroy());
  return { ws, stack, act, desired };
}

/** Returns the requests, with all polls of a wait as one. */
const requestsOf = (ws: Workspace) =>
  ws.requests().filter((request, index, all) => request !== READ || request !== all[index - 1]);

/** Returns the exports that are not canceled, without those that a schedule spawned. */
const live = async (ws: Workspace) =>
  (await ws.exports()).filter((one) => one.status !== "CANCELLED" && !one.source_bulk_export_id).map(({ id }) => id);

async function isAsDeclared(ws: Workspace, stack: Stack, desired: PropertyMap): Promise<void> {
  const { id, failed } = stateOf(stack);
  expect(failed).toBe(false);
  expect(await live(ws)).toEqual([id]);
  expect(await stack.refresh()).toBe("same");
  expect(await stack.up(desired)).toBe("same");
}

describe.each(Object.entries(operations))("%s", (_what, operation) => {
  it("sends the requests that the tests below inject failures into", async () => {
    const { ws, act } = await prepared(operation);
    await act();
    expect(requestsOf(ws)).toEqual(operation.requests);
  });

  const cases = failureCases(operation.requests).map(
    ({ index, request, mode, after }) => [index + 1, request, mode, after] as const,
  );
  it.each(cases)(
    "whose request %i, %s, %s ends as declared after at most one retry",
    async (...[, request, what, after]) => {
      const { ws, stack, act, desired } = await prepared(operation);
      await injectFailure(ws, what, request, after);
      const error = await act().catch((failure: Error) => failure);
      expect(ws.emulator.faults.list().filter((fault) => !("export_run" in fault))).toEqual([]);
      await waitForDelayedRequest(ws, what);
      if (error instanceof Error && request === POST && what === ACTED_AFTER_TIMEOUT) {
        // The server created it after the last poll: the error of the next run shows both options.
        const [id = ""] = await live(ws);
        expect((await failureOf(act())).message).toContain(`import: "${id}"`);
        if (!isDynamicHost) return;
        await stack.up(desired as PropertyMap, stack.host(), { __import: id });
      } else if (error instanceof Error) await act();
      if (desired) await isAsDeclared(ws, stack, desired);
      else {
        expect(stack.state).toBeUndefined();
        expect((await ws.exports()).filter(({ status }) => status !== "CANCELLED")).toEqual([]);
      }
    },
  );
});
