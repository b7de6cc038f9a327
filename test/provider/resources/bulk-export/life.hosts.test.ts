/** The life of an export: create, wait, update, refresh and destroy, with the requests of each. */
import { failureOf } from "../../../support/errors";
import { createExport, startExport, startWorkspace } from "../../../support/exports/exports";
import { tracingSettings } from "../../../support/exports/tracing";
import { startRewritingProxy } from "../../../support/servers/rewriting-proxy";
import { dynamicHostOnly, Stack, stateOf } from "../../../support/stack";

const ALL = "/api/v1/bulk-exports";
const [LIST, POST] = [`GET ${ALL}`, `POST ${ALL}`];
const [READ, CANCEL, RUNS] = [`GET ${ALL}/{id}`, `PATCH ${ALL}/{id}`, `GET ${ALL}/{id}/runs`];

describe("the wait for an export", () => {
  const ONE = { method: "GET", path: "/api/v1/bulk-exports/*" };

  it.each([
    [1, 0],
    [4, 0],
    [7, 4],
  ])("continues after %i responses of 404 and %i lists without it", async (times, lists) => {
    const ws = await startWorkspace({}, { ...ONE, status: 404, body: { detail: "no route" }, times });
    if (lists > 0) await ws.addFault({ method: "GET", path: ALL, status: 200, body: [], times: lists });
    const stack = ws.stack("BulkExport");
    expect(await stack.up(ws.oneTime({ waitFor: "completed" }))).toBe("create");
    expect(stateOf(stack)).toMatchObject({ failed: false, outputs: { status: "COMPLETED" } });
    expect(await ws.exports()).toHaveLength(1);
  });

  it("ends when the export is gone, also from the list, and its ID stays in state", async () => {
    const ws = await startWorkspace({}, { ...ONE, status: 404, body: { detail: "not found" }, times: 999 });
    await ws.addFault({ method: "GET", path: ALL, status: 200, body: [], times: 999 });
    const stack = ws.stack("BulkExport");
    await expect(stack.up(ws.oneTime({ waitFor: "completed" }))).rejects.toThrow(
      /: Export \S+ no longer exists on the server\. Run `pulumi up --refresh` to create another one\./,
    );
    expect(stateOf(stack)).toMatchObject({ failed: true });
  });
});

describe("a BulkExport without waitFor", () => {
  // @covers 4C.POST /api/v1/bulk-exports
  it("is created with one request between two list requests, and exists immediately", async () => {
    const { ws, stack } = await startExport("BulkExport");
    expect(await stack.up(ws.oneTime())).toBe("create");
    expect(ws.requests()).toEqual([LIST, POST, LIST]);
    const [one] = await ws.exports();
    expect(stateOf(stack)).toMatchObject({ id: one?.id, outputs: { status: "CREATED", tenantId: one?.tenant_id } });
  });

  it("takes times in milliseconds since the epoch for those that were sent", async () => {
    const ws = await startWorkspace();
    const respond = (_url: string, text: string) =>
      text.replace(/"(start_time|end_time)":"([^"]+)"/g, (_, key, time) => `"${key}":${Date.parse(time)}`);
    const proxy = await startRewritingProxy(ws, () => undefined, { respond });
    const stack = new Stack(proxy, { kind: "BulkExport", name: "traces", config: tracingSettings(proxy) });
    expect(await stack.up(ws.oneTime())).toBe("create");
    expect(stack.messages.join()).not.toContain("ignores");
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up(ws.oneTime())).toBe("same");
  });

  // @covers 2C.Export job, 2C.Export job.start_time, 2C.Export job.bulk_export_destination_id
  // @covers 2C.Export job.session_id, 2C.Export job.format_version
  it("sends timestamps in the API's format, each field once, and no options of the provider", async () => {
    const ws = await startWorkspace();
    const times = { startTime: "2026-01-01T01:00:00.50+01:00", endTime: "2026-01-02T00:00:00.000000Z" };
    const fields = { exportFields: ["id", "name", "id"], filter: "eq(is_root, true)" };
    await ws.stack("BulkExport").up(ws.oneTime({ ...times, ...fields, allExperiments: false, allowDuplicate: true }));
    expect(ws.emulator.requestLog.entries({ method: "POST" }).map(({ body }) => body)).toEqual([
      {
        bulk_export_destination_id: ws.destinationId,
        session_id: ws.sessionId,
        start_time: "2026-01-01T00:00:00.5Z",
        end_time: "2026-01-02T00:00:00Z",
        export_fields: ["id", "name"],
        filter: "eq(is_root, true)",
      },
    ]);
  });

  it("has its status and, once completed, its totals updated by a refresh without drift", async () => {
    const { ws, stack } = await startExport("BulkExport");
    await stack.up(ws.oneTime());
    await ws.advance(600);
    expect(await stack.refresh()).toBe("same");
    await ws.advance(60_000);
    expect(await stack.refresh()).toBe("same");
    expect(stateOf(stack).outputs).toMatchObject({
      ...{ status: "COMPLETED", finishedAt: expect.any(String), rowsWritten: 72, filesWritten: 3 },
      filePrefix: expect.stringContaining(`export_id=${stateOf(stack).id}/`),
    });
    await ws.emulator.requestLog.clear();
    expect(await stack.refresh()).toBe("same");
    expect(ws.requests()).toEqual([READ]);
    expect(await stack.up(ws.oneTime())).toBe("same");
  });
});

// @covers 3.3, 4C.GET /api/v1/bulk-exports/{export_id}
it("a BulkExport with waitFor completed is created when its files exist, with the number of rows", async () => {
  const { ws, stack } = await startExport("BulkExport");
  await stack.up(ws.oneTime({ waitFor: "completed" }));
  expect(stateOf(stack)).toMatchObject({
    failed: false,
    outputs: { status: "COMPLETED", rowsWritten: 72, filesWritten: 3, finishedAt: expect.any(String) },
  });
  expect(stack.messages[0]).toBe("progress: CREATED, 0 s");
  expect(stack.messages.at(-1)).toMatch(/^progress: COMPLETED, 3 of 3 days, 72 rows, 3 files, \d+ s$/);
  expect(new Set(ws.requests())).toEqual(new Set([LIST, POST, READ, RUNS]));
  expect(await stack.up(ws.oneTime({ waitFor: "completed" }))).toBe("same");
});

dynamicHostOnly(describe)("a BulkExport that ended", () => {
  it.each(["CANCELLED", "FAILED", "TIMEDOUT"])("as %s is not imported; the error shows what to do", async (status) => {
    const ws = await startWorkspace();
    const first = ws.stack("BulkExport");
    const { id } = await first.stateAfter(ws.oneTime());
    await ws.call("PATCH", `/_emulator/exports/${id}`, { status });
    const stack = ws.stack("BulkExport", { name: "other" });
    const failure = await failureOf(stack.up(ws.oneTime(), stack.host(), { __import: id }));
    expect(failure.message).toContain(
      `import: export ${id} ended ${status} and cannot be resumed. No changes were made. Remove the import ` +
        "option to create a new one.",
    );
  });
});

describe("a destroy of a BulkExport", () => {
  it("cancels a running export", async () => {
    const { ws, stack } = await startExport("BulkExport");
    await stack.up(ws.oneTime());
    await ws.emulator.requestLog.clear();
    await stack.destroy();
    expect(ws.requests()).toEqual([READ, CANCEL]);
    expect((await ws.exports()).map(({ status }) => status)).toEqual(["CANCELLED"]);
    expect(stack.messages.filter((row) => !row.startsWith("progress"))).toEqual([]);
  });

  it("keeps an ended export on the server with an informational message and without a request", async () => {
    const { ws, stack } = await startExport("BulkExport");
    const { id } = await stack.stateAfter(ws.oneTime({ waitFor: "completed" }));
    await ws.emulator.requestLog.clear();
    await stack.destroy();
    expect(ws.requests()).toEqual([]);
    expect(stack.messages.filter((row) => row.includes("stays on the server"))).toEqual([
      expect.stringMatching(`^info: Export ${id} ended COMPLETED`),
    ]);
  });

  it("detects that the export has ended when state does not show it", async () => {
    const { ws, stack } = await startExport("BulkExport");
    await stack.up(ws.oneTime());
    await ws.advance(60_000);
    await ws.emulator.requestLog.clear();
    await stack.destroy();
    expect(ws.requests()).toEqual([READ]);
    expect(stack.messages.at(-1)).toMatch(/^info: .*COMPLETED/);
  });
});

// @covers 4C.GET /api/v1/workspaces/{workspace_id}, 10C.workspace
it("a refresh of a BulkExport keeps it in state when the workspace does not respond either", async () => {
  const { ws, stack } = await createExport("BulkExport");
  await ws.addFault({ path: "/api/v1/**", status: 404, times: 20 });
  await expect(stack.refresh()).rejects.toThrow("GET /api/v1/workspaces/");
  expect(stack.state).toBeDefined();
});

it("a BulkExport is restarted by a change, and the old one is canceled", async () => {
  const { ws, stack } = await startExport("BulkExport");
  const { id } = await stack.stateAfter(ws.oneTime());
  expect(await stack.up(ws.oneTime({ sessionId: undefined, allExperiments: true }))).toBe("replace");
  expect(stack.messages).toContain("info: restarts the export: sessionId, allExperiments");
  expect((await ws.exports()).map((remote) => [remote.id, remote.status])).toEqual([
    [stateOf(stack).id, "CREATED"],
    [id, "CANCELLED"],
  ]);
});
