import { bulkExports, day, exportMs, hour, type RunBody, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";

const otherTenant = "aaaaaaaa-0000-4000-8000-000000000001";
const unknownId = "00000000-0000-4000-8000-000000000000";
const startWithFaults = async (...faults: { times?: number; skip?: number; export_run: object }[]) => {
  const tracing = new TracingClient(await start({ strict: true }));
  for (const fault of faults) await tracing.client.emulator.faults.add(fault);
  return tracing;
};

describe("the runs of an export", () => {
  // @covers 2C.Export run, 4C.GET /api/v1/bulk-exports/{export_id}/runs
  test("are one per UTC day and project", async () => {
    const tracing = await startWithFaults();
    const times = { start_time: "2026-02-27T22:30:00-02:00", end_time: "2026-03-01T10:00:00Z" };
    const { id } = await tracing.create(await tracing.threeDayExport(times), exportMs);
    const runs = await tracing.runs(id);
    expect(runs).toMatchObject([
      { start_time: "2026-02-28T00:30:00+00:00", end_time: "2026-03-01T00:00:00+00:00" },
      { start_time: "2026-03-01T00:00:00+00:00", end_time: "2026-03-01T10:00:00+00:00" },
    ]);
    const [first] = runs;
    expect((await tracing.get(`${bulkExports}/${id}/runs/${first?.id}`)).body).toEqual(first);
    expect((await tracing.get(`${bulkExports}/${id}/runs/${unknownId}`)).status).toBe(404);
  });

  // @covers 2C.Export run.metadata
  test("return the path without a file if there are no rows", async () => {
    const tracing = await startWithFaults();
    const body = await tracing.threeDayExport();
    const { id } = await tracing.create(body, exportMs);
    const partition = `export_id=${id}/tenant_id=${tracing.tenantId}/session_id=${body.session_id}`;
    const prefix = `p/${partition}/runs/year=2026/month=01/day=01`;
    expect((await tracing.runs(id))[0]).toMatchObject({
      bulk_export_id: id,
      session_id: body.session_id,
      status: "COMPLETED",
      retry_number: 0,
      errors: null,
      metadata: {
        prefix,
        start_time: "2026-01-01T00:00:00+00:00",
        end_time: "2026-01-02T00:00:00+00:00",
        result: { rows_written: 0, exported_files: [], export_path: `nowhere/${prefix}` },
      },
    });
  });

  test("are retried after 30 s, and contain every error", async () => {
    const tracing = await startWithFaults({ export_run: { error: "the bucket sleeps" }, times: 2 });
    const { id } = await tracing.create(await tracing.threeDayExport({ end_time: "2026-01-02T00:00:00Z" }), 500);
    expect(await tracing.runs(id)).toMatchObject([
      { status: "RUNNING", retry_number: 0, errors: { retry_0: "the bucket sleeps" } },
    ]);
    await tracing.client.advance(30_000 - 1);
    expect(await tracing.runs(id)).toMatchObject([{ retry_number: 0 }]);
    await tracing.client.advance(1);
    expect(await tracing.runs(id)).toMatchObject([{ status: "RUNNING", retry_number: 1 }]);
    await tracing.client.advance(30_000);
    const errors = { retry_0: "the bucket sleeps", retry_1: "the bucket sleeps" };
    expect(await tracing.runs(id)).toMatchObject([{ status: "COMPLETED", retry_number: 2, errors }]);
    expect((await tracing.export(id)).status).toBe("COMPLETED");
  });

  // @covers 2C.Export run:attempts
  test("fail after 20 retries, and one failure fails the export once the others have finished", async () => {
    const tracing = await startWithFaults({ export_run: { stalls: true, day: "2026-01-01" } });
    const { id } = await tracing.create(await tracing.threeDayExport());
    await tracing.client.emulator.faults.add({ export_run: { export: id, day: "2026-01-02", error: "no" }, times: 21 });
    await tracing.client.advance(500 + 20 * 30_000 - 1);
    expect((await tracing.runs(id)).map(({ status }) => status)).toEqual(["RUNNING", "RUNNING", "COMPLETED"]);
    await tracing.client.advance(1);
    const runs = await tracing.runs(id);
    expect(runs.map(({ status }) => status)).toEqual(["RUNNING", "FAILED", "COMPLETED"]);
    expect(runs[1]?.retry_number).toBe(20);
    expect(Object.keys(runs[1]?.errors ?? {})).toHaveLength(21);
    expect((await tracing.export(id)).status).toBe("RUNNING");
    await tracing.client.advance(5 * hour);
    expect((await tracing.export(id)).status).toBe("FAILED");
  });

  // @covers 2C.Export run:attempts
  test("that do not finish within 4 hours are retried", async () => {
    const tracing = await startWithFaults({ export_run: { stalls: true } });
    const { id } = await tracing.create(await tracing.threeDayExport({ end_time: "2026-01-02T00:00:00Z" }));
    await tracing.client.advance(500 + 4 * hour);
    expect(await tracing.runs(id)).toMatchObject([{ errors: { retry_0: expect.stringContaining("4 hours") } }]);
    await tracing.client.advance(30_000);
    expect(await tracing.runs(id)).toMatchObject([{ status: "COMPLETED", retry_number: 1 }]);
  });

  // @covers 8.Concurrent runs
  test("execute 45 at a time while the others wait", async () => {
    const tracing = await startWithFaults({ export_run: { stalls: true }, times: 46 });
    const { id } = await tracing.create(await tracing.threeDayExport({ end_time: "2026-03-01T00:00:00Z" }), exportMs);
    const count = async (status: string) => (await tracing.runs(id)).filter((run) => run.status === status).length;
    expect([await count("RUNNING"), await count("CREATED")]).toEqual([45, 14]);
    await tracing.client.advance(4 * hour + 30_000);
    expect([await count("RUNNING"), await count("COMPLETED")]).toEqual([1, 58]);
  });

  // @covers 4C.GET /api/v1/bulk-exports/runs
  test("can be listed for all exports of a schedule", async () => {
    const tracing = await startWithFaults();
    const at = Math.floor(Date.parse(tracing.client.emulator.clock.read().now) / day) * day - 2 * day;
    const schedule = { end_time: undefined, interval_hours: 24, start_time: new Date(at).toISOString() };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), exportMs);
    const { body } = await tracing.get(`${bulkExports}/runs?source_bulk_export_id=${id}`);
    const runs = body as unknown as RunBody[];
    expect(runs.map((run) => Date.parse(run.start_time)).slice(0, 2)).toEqual([at, at + day]);
    const spawned = (await tracing.exports()).filter((one) => one.source_bulk_export_id === id);
    expect(runs.map((run) => run.bulk_export_id)).toEqual(spawned.map((one) => one.id));
    expect((await tracing.get(`${bulkExports}/runs?source_bulk_export_id=${unknownId}`)).status).toBe(404);
    expect((await tracing.get(`${bulkExports}/runs`)).status).toBe(422);
  });
});

// @covers 8.Concurrent exports
test("a workspace runs 15 exports at a time, oldest first, while the others wait", async () => {
  const tracing = await startWithFaults({ export_run: { stalls: true }, times: 15 });
  const body = await tracing.threeDayExport({ end_time: "2026-01-02T00:00:00Z" });
  const ids: string[] = [];
  for (let count = 0; count < 18; count++) ids.push((await tracing.create(body)).id);
  await tracing.client.advance(exportMs);
  const statuses = async () => (await tracing.exports()).map(({ status }) => status);
  const expected = (running: number) => ids.map((_, index) => (index < running ? "RUNNING" : "CREATED"));
  expect(await statuses()).toEqual(expected(15));
  await tracing.client.emulator.faults.add({ export_run: { stalls: true }, times: 1 });
  await tracing.cancel(String(ids[0]));
  expect((await statuses()).slice(1)).toEqual(expected(16).slice(1));
  const other = new TracingClient(tracing.client, otherTenant);
  await other.create(await other.threeDayExport());
  await tracing.client.advance(exportMs);
  expect((await other.exports()).map(({ status }) => status)).toEqual(["COMPLETED"]);
});
