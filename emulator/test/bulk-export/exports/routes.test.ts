import { bulkExports, day, type ExportBody, exportMs, hour, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";

const dataset = "99999999-9999-4999-8999-999999999999";
const unknownId = "00000000-0000-4000-8000-000000000000";

describe("the bulk export endpoints", () => {
  // @covers 2C.Export job:response
  test("return only the fields of the interface with interfaceOnly", async () => {
    const tracing = new TracingClient(await start({ interfaceOnly: true }));
    const { id, ...rest } = await tracing.create(await tracing.threeDayExport());
    expect(rest).toEqual({});
    expect((await tracing.get(`${bulkExports}/${id}`)).body).toEqual({ id, status: "CREATED" });
    await tracing.client.advance(exportMs);
    expect((await tracing.get(`${bulkExports}/${id}`)).body).toEqual({ id, status: "COMPLETED" });
  });

  test("return the schedule of an export with interfaceOnly", async () => {
    const tracing = new TracingClient(await start({ interfaceOnly: true }));
    const start_time = new Date(Date.parse(tracing.client.emulator.clock.read().now) - 3 * hour).toISOString();
    const schedule = { end_time: undefined, interval_hours: 2, start_time };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), exportMs);
    const { exports } = (await tracing.client.admin("GET", "/exports")).body as unknown as { exports: ExportBody[] };
    const created = exports.find(({ source_bulk_export_id }) => source_bulk_export_id === id);
    const { body } = await tracing.get(`${bulkExports}/${created?.id}`);
    expect(body).toEqual({ id: created?.id, status: "COMPLETED", source_bulk_export_id: id });
  });

  // @covers 4C.GET /api/v1/bulk-exports:pages
  test("list exports in pages where a request has a limit", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    for (let count = 0; count < 3; count++) await tracing.create(await tracing.threeDayExport());
    const list = async (query: string) => (await tracing.get(bulkExports + query)).body as unknown as ExportBody[];
    const all = await list("");
    for (const offset of [0, 2, 4])
      expect(await list(`?limit=2&offset=${offset}`)).toEqual(all.slice(offset, offset + 2));
  });

  test("name what was not found", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { id } = await tracing.create(await tracing.threeDayExport());
    const detailOf = async (path: string) => (await tracing.get(`${bulkExports}/${path}`)).body.detail;
    expect(await detailOf(unknownId)).toBe(`Bulk export ${unknownId} not found`);
    expect(await detailOf(`${id}/runs/${unknownId}`)).toBe(`Bulk export run ${unknownId} not found`);
  });

  // @covers 4C.GET /api/v1/workspaces/{workspace_id}, 2C.Workspace
  test("return a workspace only to API keys that can access it", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    await tracing.client.emulator.seed({ workspaces: [{ id: unknownId, name: "team" }] });
    const path = `/api/v1/workspaces/${unknownId}`;
    expect(await tracing.get(path)).toMatchObject({ status: 200, body: { id: unknownId, display_name: "team" } });
    const detail = `Workspace ${dataset} not found`;
    expect(await tracing.get(`/api/v1/workspaces/${dataset}`)).toMatchObject({ status: 404, body: { detail } });
    await tracing.client.emulator.seed({ keys: [{ key: "a-key", workspaces: [tracing.tenantId] }] });
    expect((await tracing.get(path)).status).toBe(404);
  });
});

describe("an export", () => {
  // @covers 2C.Export job.session_id, 2C.Export job.all_experiments, 4C.1
  test.each([
    ["neither session_id nor all_experiments", { session_id: undefined }],
    ["session_id with all_experiments", { all_experiments: true }],
    ["all_experiments: false alone", { session_id: undefined, all_experiments: false }],
  ])("with %s is rejected", async (_, change) => {
    const tracing = new TracingClient(await start({ strict: true }));
    const response = await tracing.post(bulkExports, await tracing.threeDayExport(change));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "value_error", loc: ["body"] }] } });
    expect(response.body.detail[0]?.msg).toContain("exactly one of session_id and all_experiments");
    await tracing.create(await tracing.threeDayExport({ all_experiments: false }));
  });

  // @covers 2C.Export job.end_time:kinds, 4C.2
  test.each([
    ["a schedule with an end", { interval_hours: 24 }, "must be omitted"],
    ["no interval and no end", { end_time: undefined }, "is required"],
    ["an end that equals the start", { end_time: "2026-01-01T01:00:00+01:00" }, "must be after start_time"],
  ])("is rejected with %s", async (_, change, message) => {
    const tracing = new TracingClient(await start({ strict: true }));
    const response = await tracing.post(bulkExports, await tracing.threeDayExport(change));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "end_time"] }] } });
    expect(response.body.detail[0]?.msg).toContain(message);
  });

  // @covers 4C.4
  test("with all_experiments exports those that exist when it is processed, not when it was submitted", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const early = await tracing.project("early", dataset);
    await tracing.project("no experiment");
    const { id } = await tracing.create(await tracing.threeDayExport({ session_id: undefined, all_experiments: true }));
    const late = await tracing.project("late", dataset);
    await tracing.client.advance(exportMs);
    await tracing.project("too late", dataset);
    const runs = await tracing.runs(id);
    expect([...new Set(runs.map((run) => run.session_id))].sort()).toEqual([early, late].sort());
    expect(runs).toHaveLength(6);
  });

  // @covers 4C.5, 4C.6
  test("may be scheduled for all experiments, with or without export_fields", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const experiment = await tracing.project("experiment", dataset);
    const start_time = new Date(Math.floor(Date.now() / day - 3) * day).toISOString();
    for (const change of [{}, { export_fields: ["id", "name"] }]) {
      const all = { session_id: undefined, all_experiments: true };
      const schedule = { ...all, start_time, end_time: undefined, interval_hours: 24 };
      const { id } = await tracing.create(await tracing.threeDayExport({ ...schedule, ...change }), exportMs);
      const spawned = (await tracing.exports()).filter((one) => one.source_bulk_export_id === id);
      expect(spawned[0]).toMatchObject({ all_experiments: true, session_id: null, ...change });
      expect(await tracing.runs(String(spawned[0]?.id))).toMatchObject([{ session_id: experiment }]);
      await tracing.cancel(id);
    }
  });
});

describe("a schedule", () => {
  const windows = async (tracing: TracingClient, id: string) =>
    (await tracing.exports()).filter((one) => one.source_bulk_export_id === id);

  // @covers 2C.Export job:source, 4C.2:windows
  test("creates one export per window, each starting where the previous one ended", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { now } = tracing.client.emulator.clock.read();
    const begin = Math.floor(Date.parse(now) / hour) * hour;
    const schedule = { end_time: undefined, interval_hours: 6, start_time: new Date(begin).toISOString() };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), 3 * day);
    const spawned = await windows(tracing, id);
    const edges = [...Array(12).keys()].map((n) => begin + n * 6 * hour);
    expect(spawned.slice(0, 11).map((one) => Date.parse(one.start_time))).toEqual(edges.slice(0, 11));
    expect(spawned.slice(0, 11).map((one) => Date.parse(String(one.end_time)))).toEqual(edges.slice(1));
    expect(spawned.map((one) => one.interval_hours)).toEqual(spawned.map(() => null));
  });

  // @covers 4C.3
  test("creates an export exactly ten minutes after the end of its window", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { now } = tracing.client.emulator.clock.read();
    const schedule = { end_time: undefined, interval_hours: 1, start_time: now };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), hour + 10 * 60_000 - 1);
    expect(await windows(tracing, id)).toEqual([]);
    await tracing.client.advance(1);
    const [first] = await windows(tracing, id);
    expect(first).toMatchObject({ status: "CREATED", source_bulk_export_id: id });
    expect(Date.parse(String(first?.created_at)) - Date.parse(String(first?.end_time))).toBe(10 * 60_000);
    await tracing.client.advance(exportMs);
    expect(await windows(tracing, id)).toMatchObject([{ status: "COMPLETED" }]);
  });

  // @covers 4C.2:windows
  test("that starts in the past also creates exports for its past windows, in order", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const at = Date.parse(tracing.client.emulator.clock.read().now) - 5 * day;
    const schedule = { end_time: undefined, interval_hours: 48, start_time: new Date(at).toISOString() };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), exportMs);
    const starts = (await windows(tracing, id)).map((one) => Date.parse(one.start_time) - at);
    expect(starts).toEqual([0, 2 * day]);
  });

  // @covers 3.6
  test("that is canceled creates no more exports, and its running exports continue", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    await tracing.client.emulator.faults.add({ export_run: { stalls: true }, times: 9 });
    const at = Date.parse(tracing.client.emulator.clock.read().now) - 25 * hour;
    const schedule = { end_time: undefined, interval_hours: 12, start_time: new Date(at).toISOString() };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), exportMs);
    expect(await tracing.cancel(id)).toMatchObject({ status: 200, body: { id, status: "CANCELLED" } });
    await tracing.client.advance(hour);
    const spawned = await windows(tracing, id);
    expect(spawned.map(({ status }) => status)).toEqual(["RUNNING", "RUNNING"]);
    const [first, second] = spawned.map((one) => one.id);
    const { body } = await tracing.cancel(String(first));
    expect(body).toMatchObject({ status: "CANCELLED", finished_at: expect.any(String) });
    expect((await tracing.export(String(second))).status).toBe("RUNNING");
    await tracing.client.advance(2 * day);
    expect(await windows(tracing, id)).toHaveLength(2);
  });
});
