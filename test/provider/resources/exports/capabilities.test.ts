/**
 * Exports on servers that lack optional routes: the interface alone is sufficient, and the provider reports what is not
 * possible.
 */
import { failureOf } from "../../../support/errors";
import { createExport, startExport, startWorkspace } from "../../../support/exports";
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
    const ws = await startWorkspace(interfaceOnly);
    await ws.emulator.faults.add({ export_run: { stalls: true }, times: 3 });
    const stack = ws.stack("BulkExport", { timeouts: { create: "5m" } });
    await expect(stack.up(ws.oneTime({ waitFor: "completed" }))).rejects.toThrow("to be COMPLETED");
    expect(stack.messages).toContainEqual(expect.stringMatching(/^progress: RUNNING, \d+ s$/));
    expect(ws.requests().filter((request) => request.endsWith("/runs"))).toHaveLength(1);
  });

  it("that fails refers to the console for the reason", async () => {
    const ws = await startWorkspace(interfaceOnly);
    await ws.emulator.faults.add({ export_run: { error: "no" }, times: 63 });
    const error = await failureOf(ws.stack("BulkExport").up(ws.oneTime({ waitFor: "completed" })));
    expect(error.message).toMatch(/ended FAILED.*does not return the reason.*console/s);
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

it.each([404, 405, 501])("a single %i of a proxy does not count as a missing cancel route", async (status) => {
  const ws = await startWorkspace();
  await ws.emulator.faults.add({ export_run: { stalls: true }, times: 9 });
  const stack = ws.stack("BulkExport");
  await stack.up(ws.oneTime());
  const { id } = stateOf(stack);
  const path = `/api/v1/bulk-exports/${id}`;
  await ws.emulator.faults.add({ method: "PATCH", path, status, body: "<h1>nginx</h1>" });
  await stack.destroy();
  expect(stack.messages.join()).not.toContain("does not support cancellation");
  expect((await ws.callTracingApi("GET", `bulk-exports/${id}`)).body.status).toBe("CANCELLED");
});

it.each([404, 405, 501])(
  "a single %i of a proxy does not count as a missing list route, and no export is created twice",
  async (status) => {
    const ws = await startWorkspace();
    await ws.emulator.faults.add({ export_run: { stalls: true }, times: 9 });
    await ws.stack("BulkExport").up(ws.oneTime());
    await ws.emulator.faults.add({ method: "GET", path: "/api/v1/bulk-exports", status, body: "<h1>nginx</h1>" });
    await expect(ws.stack("BulkExport", { name: "again" }).up(ws.oneTime())).rejects.toThrow("already exists");
    expect(await ws.exports()).toHaveLength(1);
  },
);

describe("on a server that cannot cancel exports", () => {
  const without = { without: ["export-cancel"] };

  // @covers 4C:unsaid
  it("a destroy of a running export removes it from state with a warning", async () => {
    const { ws, stack } = await startExport("BulkExport", { server: without });
    await ws.emulator.faults.add({ export_run: { stalls: true }, times: 9 });
    await stack.up(ws.oneTime());
    const { id } = stateOf(stack);
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
    await stack.up(declared);
    const { id } = stateOf(stack);
    for (const act of [() => stack.destroy(), () => stack.up({ ...declared, filter: "eq(is_root, true)" })]) {
      expect((await failureOf(act())).message).toMatch(
        /cannot be canceled.*does not support cancellation.*forget: true/s,
      );
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

  it("a destroy of a schedule that no longer exists succeeds", async () => {
    const { ws, stack } = await createExport("ScheduledBulkExport", {}, { server: without });
    await ws.emulator.reset();
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  it("a destroy with cancelSpawned lists the spawned exports that keep running", async () => {
    const ws = await startWorkspace(without);
    await ws.emulator.faults.add({ export_run: { stalls: true }, times: 100 });
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
