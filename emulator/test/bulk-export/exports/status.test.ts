import { exportMs, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";

// API `3.Export status`. Rules 3 and 6 are in runs/completed-export.slow.test.ts and routes.test.ts.
describe("the status of an export", () => {
  const all = ["CREATED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED", "TIMEDOUT"];

  // @covers 2C.Export job:status, 3.Export status
  test.each(all)("may be %s, written as in the interface with strict and interfaceOnly", async (status) => {
    for (const options of [{ strict: true }, { interfaceOnly: true }]) {
      const tracing = new TracingClient(await start(options));
      const { id } = await tracing.create(await tracing.threeDayExport());
      await tracing.client.admin("PATCH", `/exports/${id}`, { status });
      expect((await tracing.export(id)).status).toBe(status);
    }
  });

  // @covers 3.item 4, 3.Export status:casing, 4C.GET /api/v1/bulk-exports/{export_id}
  test.each([
    [{ interfaceOnly: true }, ["CREATED", "RUNNING", "COMPLETED"]],
    [{}, ["Created", "Running", "Completed"]],
  ])("with %j changes through %j", async (options, expected) => {
    const tracing = new TracingClient(await start(options));
    await tracing.client.emulator.faults.add({ export_run: { error: "not now" } });
    const { id } = await tracing.create(await tracing.threeDayExport());
    const statuses = [(await tracing.export(id)).status];
    for (const ms of [exportMs, 30_000]) {
      await tracing.client.advance(ms);
      statuses.push((await tracing.export(id)).status);
    }
    expect(statuses).toEqual(expected);
  });
});
