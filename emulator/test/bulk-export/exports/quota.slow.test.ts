import { bulkExports, day, exportMs, hour, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";
import { expectError } from "../../support/rejections";

const other = "aaaaaaaa-0000-4000-8000-000000000001";
const dataset = "99999999-9999-4999-8999-999999999999";
const schedule = { end_time: undefined, interval_hours: 168 };
/** The time on the emulator's clock in a number of hours. */
const inHours = ({ client }: TracingClient, hours: number) =>
  new Date(Date.parse(client.emulator.clock.read().now) + hours * hour).toISOString();

// @covers 2C.Export job.interval_hours:bounds, 8.interval_hours
test.each([
  [0, 422],
  [1, 200],
  [168, 200],
  [169, 422],
  [1.5, 422],
])("an interval of %d hours returns %d", async (interval_hours, status) => {
  const tracing = new TracingClient(await start({ strict: true }));
  const body = await tracing.threeDayExport({ ...schedule, interval_hours, start_time: inHours(tracing, 1) });
  const response = await tracing.post(bulkExports, body);
  expect(response.status).toBe(status);
  if (status === 422) expect(response.body.detail[0]?.loc).toEqual(["body", "interval_hours"]);
});

describe("the creations of a workspace", () => {
  // @covers 7.429, 8.Export creations (cloud)
  test("are limited to 250 in a rolling hour, and more return 429, but not in another workspace", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const body = await tracing.threeDayExport();
    for (let count = 0; count < 249; count++) await tracing.create(body);
    await tracing.client.advance(30 * 60_000);
    await tracing.create(body);
    const rejection = await tracing.post(bulkExports, body);
    expect(rejection).toMatchObject({ status: 429, body: { detail: expect.stringContaining("250") } });
    const neighbor = new TracingClient(tracing.client, other);
    await neighbor.create(await neighbor.threeDayExport());

    await tracing.client.advance(30 * 60_000 - 1);
    expect((await tracing.post(bulkExports, body)).status).toBe(429);
    await tracing.client.advance(1);
    for (let count = 0; count < 249; count++) await tracing.create(body);
    expect((await tracing.post(bulkExports, body)).status).toBe(429);
  });

  // @covers 8.Export creations (cloud)
  test("include scheduled exports, whose windows wait at the limit and are not lost", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const begin = Math.floor(Date.parse(inHours(tracing, -300)) / hour) * hour;
    const hourly = { ...schedule, interval_hours: 1, start_time: new Date(begin).toISOString() };
    const body = await tracing.threeDayExport(hourly);
    const { id } = await tracing.create(body, exportMs);
    const windows = async () => (await tracing.exports()).filter((one) => one.source_bulk_export_id === id);
    expect(await windows()).toHaveLength(249);
    expect((await tracing.post(bulkExports, body)).status).toBe(429);
    await tracing.client.advance(hour);
    const starts = (await windows()).map((one) => (Date.parse(one.start_time) - begin) / hour);
    expect(starts.length).toBeGreaterThanOrEqual(300);
    expect(starts).toEqual([...starts.keys()]);
  });
});

// @covers 7.429 (again), 8.Scheduled exports (cloud)
test("active schedules are limited to 200 until one is canceled, and one-time exports do not count", async () => {
  const tracing = new TracingClient(await start({ strict: true }));
  const oneTime = await tracing.threeDayExport();
  const body = await tracing.threeDayExport({ ...schedule, start_time: inHours(tracing, 1) });
  const { id } = await tracing.create(body);
  for (let count = 1; count < 200; count++) await tracing.create(body);
  for (let count = 0; count < 10; count++) await tracing.create(oneTime);
  const rejection = await tracing.post(bulkExports, body);
  expectError(rejection, 429, expect.stringMatching(/200 active scheduled .*: cancel one before/));
  await tracing.client.advance(2 * hour);
  expect((await tracing.post(bulkExports, body)).status).toBe(429);
  await tracing.create(oneTime);
  await tracing.cancel(id);
  await tracing.create(body);
});

describe("an export of all experiments", () => {
  const exportExperiments = async (count: number, edition: "cloud" | "self-hosted") => {
    const tracing = new TracingClient(await start({ strict: true, edition }));
    for (let number = 0; number < count; number++) await tracing.project(`experiment ${number}`, dataset);
    const all = { session_id: undefined, all_experiments: true, end_time: "2026-01-02T00:00:00Z" };
    const { id } = await tracing.create(await tracing.threeDayExport(all), exportMs);
    return { status: (await tracing.export(id)).status, runs: await tracing.runs(id) };
  };

  // @covers 8.Experiments per all_experiments export (cloud), 8.Self-hosted
  test.each([
    [250, "cloud"],
    [251, "self-hosted"],
  ] as const)("may contain %i experiments with the edition %s", async (count, edition) => {
    const { status, runs } = await exportExperiments(count, edition);
    expect({ status, runs: runs.length }).toEqual({ status: "COMPLETED", runs: count });
  });

  // @covers 8.Experiments per all_experiments export (cloud)
  test("fails with more experiments, and a run contains the reason", async () => {
    const { status, runs } = await exportExperiments(251, "cloud");
    expect(status).toBe("FAILED");
    expect(runs).toMatchObject([
      { status: "FAILED", session_id: null, errors: { retry_0: expect.stringMatching(/251.*250/) } },
    ]);
  });
});

// @covers 8.Self-hosted
test("a self-hosted installation has no limits for creations and schedules", async () => {
  const tracing = new TracingClient(await start({ strict: true, edition: "self-hosted" }));
  const body = await tracing.threeDayExport({ ...schedule, start_time: inHours(tracing, 1) });
  for (let count = 0; count < 251; count++) await tracing.create(body);
});

test("a schedule that starts far in the past pauses after 500 windows, so that other requests are served", async () => {
  const tracing = new TracingClient(await start({ strict: true, edition: "self-hosted" }));
  const hourly = { ...schedule, interval_hours: 1, start_time: "1970-01-01T00:00:00Z" };
  const { id } = await tracing.create(await tracing.threeDayExport(hourly));
  const windows = async () => (await tracing.exports()).filter((one) => one.source_bulk_export_id === id);
  await tracing.client.advance(exportMs);
  expect(await windows()).toHaveLength(500);
  await tracing.client.advance(2 * 60_000);
  const starts = (await windows()).map((one) => Date.parse(one.start_time) / hour);
  expect(starts).toEqual([...starts.keys()]);
  expect(starts.length).toBeGreaterThanOrEqual(1000);
});

// @covers 8.Export runtime
test("an export that runs for 72 hours times out with its unfinished runs", async () => {
  const tracing = new TracingClient(await start({ strict: true }));
  await tracing.client.emulator.faults.add({ export_run: { stalls: true }, skip: 1, times: 100 });
  const { id } = await tracing.create(await tracing.threeDayExport(), 3 * day);
  expect((await tracing.export(id)).status).toBe("RUNNING");
  await tracing.client.advance(exportMs);
  expect(await tracing.export(id)).toMatchObject({ status: "TIMEDOUT", finished_at: expect.any(String) });
  const runs = await tracing.runs(id);
  expect(runs.map(({ status }) => status)).toEqual(["COMPLETED", "TIMEDOUT", "TIMEDOUT"]);
  expect(Object.values(runs[1]?.errors ?? {}).at(-1)).toContain("72 hours");
});
