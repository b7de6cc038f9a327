import { createExport, startExport, startWorkspace } from "../../../support/exports/exports";
import { stateOf } from "../../../support/stack";

describe("on a server of the interface alone, an export", () => {
  const interfaceOnly = { interfaceOnly: true };

  // @covers 2C.Export job:response
  it("completes and has no drift", async () => {
    const { ws, stack } = await startExport("BulkExport", { server: interfaceOnly });
    expect(await stack.up(ws.oneTime({ waitFor: "completed", filter: 'eq(name, "turn")', exportFields: ["id"] }))).toBe(
      "create",
    );
    expect(stateOf(stack).outputs).toMatchObject({ status: "COMPLETED", tenantId: expect.any(String) });
    expect(stateOf(stack).outputs.rowsWritten).toBeUndefined();
    expect(await stack.refresh()).toBe("same");
    expect(await stack.up(ws.oneTime({ waitFor: "completed", filter: 'eq(name, "turn")', exportFields: ["id"] }))).toBe(
      "same",
    );
    expect(stack.messages.filter((row) => row.startsWith("warn"))).toEqual([]);
  });

  // @covers 4C:unsaid
  it("requests its runs only once during a wait", async () => {
    const ws = await startWorkspace(interfaceOnly, { export_run: { stalls: true }, times: 3 });
    const stack = ws.stack("BulkExport", { timeouts: { create: "5m" } });
    await expect(stack.up(ws.oneTime({ waitFor: "completed" }))).rejects.toThrow("to be COMPLETED");
    expect(stack.messages).toContainEqual(expect.stringMatching(/^progress: RUNNING, \d+ s$/));
    expect(ws.requests().filter((request) => request.endsWith("/runs"))).toHaveLength(1);
  });

  it("that fails refers to the console for the reason", async () => {
    const ws = await startWorkspace(interfaceOnly, { export_run: { error: "no" }, times: 63 });
    await expect(ws.stack("BulkExport").up(ws.oneTime({ waitFor: "completed" }))).rejects.toThrow(
      /ended FAILED.*does not return the reason.*console/s,
    );
  });

  it("is imported with a warning that it could not be compared", async () => {
    const ws = await startWorkspace(interfaceOnly);
    const first = ws.stack("BulkExport");
    await first.up(ws.oneTime());
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime(), stack.host(), { __import: stateOf(first).id });
    expect(stack.messages).toContainEqual(expect.stringMatching(/^warn: import: .*only the status/));
  });
});

it("a single 405 of a proxy does not mean a missing list route, and no export is created twice", async () => {
  const ws = await startWorkspace({}, { export_run: { stalls: true }, times: 9 });
  await ws.stack("BulkExport").up(ws.oneTime());
  await ws.addFault({ method: "GET", path: "/api/v1/bulk-exports", status: 405, body: "<h1>nginx</h1>" });
  await expect(ws.stack("BulkExport", { name: "again" }).up(ws.oneTime())).rejects.toThrow("already exists");
  expect(await ws.exports()).toHaveLength(1);
});

describe("on a server that cannot cancel exports", () => {
  const without = { without: ["export-cancel"] };

  // @covers 4C:unsaid
  it("a destroy of a running export removes it from state with a warning", async () => {
    const { ws, stack } = await startExport("BulkExport", { server: without });
    await ws.addFault({ export_run: { stalls: true }, times: 9 });
    const { id } = await stack.stateAfter(ws.oneTime());
    await stack.destroy();
    expect(stack.messages).toEqual([
      expect.stringMatching(`^warn: Export ${id} was not canceled.*does not support cancellation`),
    ]);
    expect(stack.state).toBeUndefined();
  });

  // @covers 4C:unsaid
  it("a destroy and a replacement of a schedule fail, and it stays in state", async () => {
    const { ws, stack } = await startExport("ScheduledBulkExport", { server: without });
    const declared = ws.daily();
    const { id } = await stack.stateAfter(declared);
    for (const act of [() => stack.destroy(), () => stack.up({ ...declared, filter: "eq(is_root, true)" })]) {
      await expect(act()).rejects.toThrow(/cannot be canceled.*does not support cancellation.*forget: true/s);
      expect(stateOf(stack).id).toBe(id);
    }
    expect(ws.requests({ method: "POST" })).toHaveLength(1);
  });

  it("a destroy of a schedule with forget removes it from state with a warning", async () => {
    const { ws, stack } = await startExport("ScheduledBulkExport", { server: without });
    const declared = ws.daily();
    await stack.up(declared);
    expect(await stack.up({ ...declared, forget: true })).toBe("update");
    await stack.destroy();
    expect(stack.messages.at(-1)).toMatch(/^warn: .*keeps exporting.*manually/);
    expect(stack.state).toBeUndefined();
  });

  it("a destroy with cancelSpawned lists the spawned exports that keep running", async () => {
    const ws = await startWorkspace(without, { export_run: { stalls: true }, times: 100 });
    const stack = ws.stack("ScheduledBulkExport");
    await stack.up(ws.daily({ forget: true, cancelSpawned: true }));
    await ws.advance(60_000);
    await stack.destroy();
    const running = (await ws.exports()).filter(({ source_bulk_export_id: source }) => source);
    const ids = running.map(({ id }) => id).join(", ");
    expect(stack.messages.at(-1)?.endsWith(` keep running until they end: ${ids}.`)).toBe(true);
    expect(running).toHaveLength(2);
  });
});

it("a destroy with cancelSpawned warns when the server cannot list exports", async () => {
  const { ws, stack } = await startExport("ScheduledBulkExport", { server: { without: ["export-list"] } });
  await stack.up(ws.daily({ cancelSpawned: true }));
  await stack.destroy();
  expect(stack.messages.at(-1)).toMatch(/^warn: cancelSpawned: .*cannot list exports/);
  expect(stack.state).toBeUndefined();
});

const CANCELLATION = { method: "PATCH", path: "/api/v1/bulk-exports/*" } as const;
const STATUS = { method: "GET", path: "/api/v1/bulk-exports/*" } as const;
const EMPTY_LIST = { method: "GET", path: "/api/v1/bulk-exports", status: 200, body: [] };

it("an export that a server without the list does not find any more is gone", async () => {
  const { ws, stack } = await createExport("BulkExport", {}, { server: { without: ["export-list"] } });
  await ws.addFault({ ...STATUS, status: 404, body: { detail: "not found" }, times: 9 });
  expect(await stack.refresh()).toBe("gone");
});

/** A schedule, and a response of the server that says that it is still running. */
async function createSchedule(timeouts = {}) {
  const { ws, stack, id } = await createExport("ScheduledBulkExport", {}, { stack: { timeouts } });
  const { body } = await ws.callTracingApi("GET", `bulk-exports/${id}`);
  await ws.emulator.requestLog.clear();
  return { ws, stack, id, running: { ...body, status: "RUNNING" } };
}

describe("a destroy of a schedule", () => {
  it("waits until a server that cancels later has canceled it", async () => {
    const { ws, stack, running } = await createSchedule();
    await ws.addFault({ ...CANCELLATION, status: 200, body: running, act: true });
    await ws.addFault({ ...STATUS, status: 200, body: running, skip: 1, times: 2 });
    await stack.destroy();
    expect(ws.requests({ method: "GET" })).toHaveLength(4);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^progress: RUNNING/));
    expect(ws.requests({ method: "PATCH" })).toHaveLength(1);
  });

  it.each([200, 409])("ends when another client deletes it meanwhile, after a %i", async (status) => {
    const { ws, stack, running } = await createSchedule();
    await ws.addFault({ ...CANCELLATION, status, body: { ...running, detail: "it has ended" }, act: status === 200 });
    await ws.addFault({ ...STATUS, status: 404, body: { detail: "not found" }, skip: 1, times: 9 });
    await ws.addFault(EMPTY_LIST);
    await stack.destroy();
  });

  it("names what it waits for when the time is over, and keeps the schedule in state", async () => {
    const { ws, stack, id, running } = await createSchedule({ delete: "90s" });
    await ws.addFault({ ...CANCELLATION, status: 200, body: running });
    await ws.addFault({ ...STATUS, status: 200, body: running, times: 10_000 });
    await expect(stack.destroy()).rejects.toThrow(`${id} to be canceled. Last status: RUNNING.\nIt stays in state.`);
    expect(stack.messages.at(-1)).toContain(
      "the server continues to cancel it; the next `pulumi destroy` checks again",
    );
    expect(stateOf(stack).id).toBe(id);
  });

  // @covers 10C.cancel
  it.each([400, 409, 422])("succeeds when the server returns %i because it has ended", async (status) => {
    const { ws, stack } = await createSchedule();
    await ws.addFault({ ...CANCELLATION, status, body: { detail: "it has ended" }, act: true });
    await stack.destroy();
  });

  // @covers 10C.cancel
  it.each([
    [409, "it is locked", false],
    [403, "no permission", false],
    [403, "no permission", true],
  ])("fails when the server returns %i (%s), although it ended: %p", async (status, detail, act) => {
    const { ws, stack, id } = await createSchedule();
    await ws.addFault({ ...CANCELLATION, status, body: { detail }, act });
    await expect(stack.destroy()).rejects.toThrow(detail);
    expect(stateOf(stack).id).toBe(id);
  });
});
