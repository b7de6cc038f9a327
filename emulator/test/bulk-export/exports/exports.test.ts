import { bodyAs, bulkExports, type ExportBody, exportMs, TracingClient } from "../../support/bulk-export/exports";
import { start } from "../../support/emulator";

const unknownId = "00000000-0000-4000-8000-000000000000";

describe("an export", () => {
  // @covers 2C.Export job, 4C.POST /api/v1/bulk-exports, 2C.Export job:more, 2C.Export job.format
  test("is returned with all fields of the request and of the server", async () => {
    const tracing = new TracingClient(await start());
    const body = await tracing.threeDayExport({ filter: 'eq(run_type, "llm")', export_fields: ["name", "id", "name"] });
    const exported = await tracing.create(body);
    expect(exported).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenant_id: tracing.tenantId,
      bulk_export_destination_id: body.bulk_export_destination_id,
      session_id: body.session_id,
      all_experiments: false,
      start_time: "2026-01-01T00:00:00+00:00",
      end_time: "2026-01-04T00:00:00+00:00",
      interval_hours: null,
      filter: 'eq(run_type, "llm")',
      export_fields: ["name", "id"],
      format: "Parquet",
      format_version: "v2_beta",
      compression: "zstandard",
      status: "Created",
      source_bulk_export_id: null,
      created_at: expect.stringMatching(/\+00:00$/),
      updated_at: expect.stringMatching(/\+00:00$/),
      finished_at: null,
    });
    expect(await tracing.export(exported.id)).toEqual(exported);
    expect(await tracing.exports()).toEqual([exported]);
  });

  // @covers 2C.Export job.interval_hours, 3.Export status:casing
  test.each([
    [{}, "IntervalScheduled"],
    [{ strict: true }, "INTERVALSCHEDULED"],
    [{ interfaceOnly: true }, "CREATED"],
  ])("that waits for its schedule has, with %j, the status %s", async (options, expectedStatus) => {
    const tracing = new TracingClient(await start(options));
    const schedule = { end_time: undefined, interval_hours: 1, start_time: "2100-01-01T00:00:00Z" };
    const { id } = await tracing.create(await tracing.threeDayExport(schedule), exportMs);
    expect((await tracing.export(id)).status).toBe(expectedStatus);
  });

  // @covers 2C.Export job.bulk_export_destination_id, 2C.Export job.start_time, 2C.Export job.format_version:v1
  test.each<[change: object, name: string | number, type: string, message?: string]>([
    [{ bulk_export_destination_id: undefined }, "bulk_export_destination_id", "missing"],
    [{ start_time: undefined }, "start_time", "missing"],
    [{ color: "red" }, "color", "extra_forbidden"],
    [{ end_time: "9999-12-31T23:59:59Z" }, "end_time", "value_error", "must be between the years 1970 and 2255"],
    [{ start_time: "0001-01-01T00:00:00Z" }, "start_time", "value_error"],
    [{ export_fields: ["nme"] }, 0, "enum"],
    [{ export_fields: [] }, "export_fields", "value_error", "export_fields must name one field at least"],
    [{ compression: "zip" }, "compression", "enum"],
    [{ format: "CSV" }, "format", "enum"],
    [{ session_id: "mine" }, "session_id", "uuid_parsing"],
    [{ filter: 5 }, "filter", "string_type"],
  ])("with %j is rejected in the format of FastAPI", async (change, name, type, message = "") => {
    const tracing = new TracingClient(await start({ strict: true }));
    const { detail } = (await tracing.post(bulkExports, await tracing.threeDayExport(change))).body;
    const [error, ...others] = detail;
    expect(others).toEqual([]);
    expect(error).toMatchObject({ type, msg: expect.stringContaining(message) });
    expect(error?.loc.at(-1)).toBe(name);
  });

  // @covers 2C.Filter:invalid
  test.each([
    ['eq(run_typ, "llm")', 3],
    ['and(eq(name, "a"), eq(', 22],
    ["", 0],
  ])("with the filter %j is rejected at position %d", async (filter, position) => {
    const tracing = new TracingClient(await start({ strict: true }));
    const response = await tracing.post(bulkExports, await tracing.threeDayExport({ filter }));
    expect(response.status).toBe(400);
    expect(response.body.detail).toContain(`Invalid filter at position ${position}: `);
  });

  // @covers 2C.Export job.bulk_export_destination_id, 2C.Export job.session_id
  // @covers 4C.GET /api/v1/bulk-exports/{export_id}
  test.each([
    ["bulk_export_destination_id", "Bulk export destination"],
    ["session_id", "Session"],
  ])("with an unknown %s returns 404", async (name, label) => {
    const tracing = new TracingClient(await start({ strict: true }));
    const response = await tracing.post(bulkExports, await tracing.threeDayExport({ [name]: unknownId }));
    expect(response).toMatchObject({ status: 404, body: { detail: `${label} ${unknownId} not found` } });
  });

  // @covers 4C.PATCH /api/v1/bulk-exports/{export_id}
  test("can be canceled, and neither changed otherwise nor deleted", async () => {
    const tracing = new TracingClient(await start());
    await tracing.client.emulator.faults.add({ export_run: { stalls: true } });
    const { id } = await tracing.create(await tracing.threeDayExport(), exportMs);
    expect((await tracing.patch(`${bulkExports}/${id}`, { status: "Running" })).status).toBe(422);
    expect((await tracing.patch(`${bulkExports}/${id}`, { filter: null })).status).toBe(422);
    expect(await tracing.cancel(id)).toMatchObject({ status: 200, body: { status: "Cancelled" } });
    expect((await tracing.cancel(id)).status).toBe(200);
    expect((await tracing.remove(`${bulkExports}/${id}`)).status).toBe(405);
    await tracing.client.advance(5 * 3_600_000);
    expect(bodyAs<ExportBody>((await tracing.get(`${bulkExports}/${id}`)).body).status).toBe("Cancelled");
    expect((await tracing.runs(id)).map(({ status }) => status)).toEqual(["Cancelled", "Completed", "Completed"]);
  });

  test("can be canceled before it starts, and not after it has finished", async () => {
    const tracing = new TracingClient(await start({ strict: true }));
    const [early, late] = [await tracing.threeDayExport(), await tracing.threeDayExport()];
    const { id } = await tracing.create(early);
    expect(await tracing.cancel(id)).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
    const finished = await tracing.create(late, exportMs);
    expect([(await tracing.export(id)).status, await tracing.runs(id)]).toEqual(["CANCELLED", []]);
    const detail = `Bulk export ${finished.id} is COMPLETED and can no longer be cancelled`;
    expect(await tracing.cancel(finished.id)).toMatchObject({ status: 409, body: { detail } });
  });

  test("that has finished is returned unchanged by a tolerant server", async () => {
    const tracing = new TracingClient(await start());
    const { id } = await tracing.create(await tracing.threeDayExport(), exportMs);
    const before = (await tracing.get(`${bulkExports}/${id}`)).body;
    expect(await tracing.cancel(id)).toMatchObject({ status: 200, body: { ...before, status: "Completed" } });
    expect(tracing.client.emulator.requestLog.entries().at(-1)?.notes).toEqual([
      `Bulk export ${id} is Completed and can no longer be cancelled`,
    ]);
    expect((await tracing.get(`${bulkExports}/${id}`)).body).toEqual(before);
  });

  // @covers 2C.Output layout:compression
  test.each([
    ["self-hosted", undefined, "gzip"],
    ["self-hosted", "zstandard", "zstandard"],
    ["cloud", undefined, "zstandard"],
    ["cloud", "snappy", "zstandard"],
    ["any", "snappy", "zstandard"],
  ] as const)("of edition %s with the default %s is compressed with %s", async (edition, variable, compression) => {
    const name = "FF_BULK_EXPORT_DEFAULT_COMPRESSION";
    const before = process.env[name];
    try {
      if (variable === undefined) delete process.env[name];
      else process.env[name] = variable;
      const tracing = new TracingClient(await start({ edition }, true));
      expect((await tracing.create(await tracing.threeDayExport())).compression).toBe(compression);
      expect((await tracing.create(await tracing.threeDayExport({ compression: "none" }))).compression).toBe("none");
    } finally {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
  });
});

// @covers 2C.Output layout:compression
test("an invalid default compression is a usage error", async () => {
  process.env.FF_BULK_EXPORT_DEFAULT_COMPRESSION = "zip";
  try {
    await expect(start({ edition: "self-hosted" }, true)).rejects.toThrow(
      'Invalid FF_BULK_EXPORT_DEFAULT_COMPRESSION "zip"; expected one of none, gzip, snappy, zstandard.',
    );
  } finally {
    delete process.env.FF_BULK_EXPORT_DEFAULT_COMPRESSION;
  }
});
