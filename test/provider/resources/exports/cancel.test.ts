/** Cancellation of exports: servers that take their time, and exports that end meanwhile. */
import { createExport } from "../../../support/exports";
import { stateOf } from "../../../support/stack";

const PATCH = { method: "PATCH", path: "/api/v1/bulk-exports/*" } as const;
const STATUS = { method: "GET", path: "/api/v1/bulk-exports/*" } as const;
const EMPTY_LIST = { method: "GET", path: "/api/v1/bulk-exports", status: 200, body: [] };

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
    await ws.emulator.faults.add({ ...PATCH, status: 200, body: running, act: true });
    await ws.emulator.faults.add({ ...STATUS, status: 200, body: running, skip: 1, times: 2 });
    await stack.destroy();
    expect(ws.requests({ method: "GET" })).toHaveLength(4);
    expect(stack.messages).toContainEqual(expect.stringMatching(/^progress: RUNNING/));
    expect(ws.requests({ method: "PATCH" })).toHaveLength(1);
  });

  it("ends when another client deletes it meanwhile", async () => {
    const { ws, stack, running } = await createSchedule();
    await ws.emulator.faults.add({ ...PATCH, status: 200, body: running, act: true });
    await ws.emulator.faults.add({ ...STATUS, status: 404, body: { detail: "not found" }, skip: 1, times: 9 });
    await ws.emulator.faults.add(EMPTY_LIST);
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  it("names what it waits for when the time is over, and keeps the schedule in state", async () => {
    const { ws, stack, id, running } = await createSchedule({ delete: "90s" });
    await ws.emulator.faults.add({ ...PATCH, status: 200, body: running });
    await ws.emulator.faults.add({ ...STATUS, status: 200, body: running, times: 10_000 });
    await expect(stack.destroy()).rejects.toThrow(`waiting for export ${id} to be canceled. Last status: RUNNING.`);
    expect(stack.messages.at(-1)).toContain(
      "the server continues to cancel it; the next `pulumi destroy` checks again",
    );
    expect(stateOf(stack).id).toBe(id);
  });

  // @covers 10C.cancel
  it.each([400, 409, 422])("succeeds when the server returns %i because it has ended", async (status) => {
    const { ws, stack } = await createSchedule();
    await ws.emulator.faults.add({ ...PATCH, status, body: { detail: "it has ended" }, act: true });
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  // @covers 10C.cancel
  it.each([
    [409, "it is locked"],
    [403, "no permission"],
  ])("fails when the server returns %i (%s) and it is still active", async (status, detail) => {
    const { ws, stack, id } = await createSchedule();
    await ws.emulator.faults.add({ ...PATCH, status, body: { detail } });
    await expect(stack.destroy()).rejects.toThrow(detail);
    expect(stateOf(stack).id).toBe(id);
  });

  it("succeeds when the server returns 409 because another client deleted it", async () => {
    const { ws, stack } = await createSchedule();
    await ws.emulator.faults.add({ ...PATCH, status: 409, body: { detail: "it has ended" } });
    await ws.emulator.faults.add({ ...STATUS, status: 404, body: { detail: "not found" }, skip: 1, times: 9 });
    await ws.emulator.faults.add(EMPTY_LIST);
    await stack.destroy();
    expect(stack.state).toBeUndefined();
  });

  it("fails when the API key may not cancel it, even if it ends meanwhile", async () => {
    const { ws, stack } = await createSchedule();
    await ws.emulator.faults.add({ ...PATCH, status: 403, body: { detail: "no permission" }, act: true });
    await expect(stack.destroy()).rejects.toThrow("no permission");
  });

  it("fails with the lost cancellation when its status cannot be read either", async () => {
    const { ws, stack } = await createSchedule();
    await ws.emulator.faults.add({ ...PATCH, status: 500, body: { detail: "an error of the cancellation" } });
    await ws.emulator.faults.add({ ...STATUS, status: 400, body: { detail: "no status" }, skip: 1 });
    await expect(stack.destroy()).rejects.toThrow("an error of the cancellation");
  });
});
