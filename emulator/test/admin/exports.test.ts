import { createDestination } from "../support/bucket/client";
import { bodyAs, bulkExports, type ExportBody, exportMs, hour, TracingClient } from "../support/bulk-export/exports";
import { start } from "../support/emulator";

const otherTenant = "aaaaaaaa-0000-4000-8000-000000000001";
const unknownId = "00000000-0000-4000-8000-000000000000";

describe("/_emulator/exports", () => {
  test("lists the exports of all workspaces and the next run of each schedule", async () => {
    const tracing = new TracingClient(await start());
    const other = new TracingClient(tracing.client, otherTenant);
    const { id } = await other.create(await other.threeDayExport());
    const { now } = tracing.client.emulator.clock.read();
    await tracing.create(await tracing.threeDayExport({ start_time: now, end_time: undefined, interval_hours: 2 }));
    const { body } = await tracing.client.admin("GET", "/exports");
    const next_spawn_at = new Date(Date.parse(now) + 2 * hour + 600_000).toISOString();
    expect(bodyAs<{ exports: ExportBody[] }>(body).exports).toMatchObject([
      { id, status: "Created", tenant_id: otherTenant },
      { status: "IntervalScheduled", next_spawn_at },
    ]);
  });

  test("lists the destinations of all workspaces without their credentials, and how to access the bucket", async () => {
    const tracing = new TracingClient(await start());
    const id = await createDestination(tracing);
    const { bucket } = tracing.client.emulator;
    const destinations = (await tracing.client.admin("GET", "/destinations")).body;
    expect(destinations).toMatchObject({ destinations: [{ id, config: { bucket_name: "exports" } }] });
    expect(JSON.stringify(destinations)).not.toContain(bucket.secretAccessKey);
    const { url, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = bucket;
    const buckets = (await tracing.client.admin("GET", "/buckets")).body;
    expect(buckets).toMatchObject({ url, access_key_id, secret_access_key, buckets: [{ name: "exports" }] });
  });

  test("ends an export and its runs with an error", async () => {
    const tracing = new TracingClient(await start());
    await tracing.client.emulator.faults.add({ export_run: { stalls: true } });
    const { id } = await tracing.create(await tracing.threeDayExport(), exportMs);
    const change = { status: "FAILED", error: "the disk is full" };
    const { body } = await tracing.client.admin("PATCH", `/exports/${id}`, change);
    const statuses = bodyAs<{ runs: { status: string }[] }>(body).runs.map(({ status }) => status);
    expect(statuses).toEqual(["Failed", "Completed", "Completed"]);
    expect((await tracing.export(id)).status).toBe("Failed");
    expect((await tracing.runs(id))[0]?.errors).toEqual({ retry_0: "the disk is full" });
    await tracing.client.advance(5 * hour);
    expect((await tracing.export(id)).status).toBe("Failed");
  });

  // @covers 3.item 4
  test("accepts an unknown export status, and returns 404 for an unknown export", async () => {
    const tracing = new TracingClient(await start());
    const { id } = await tracing.create(await tracing.threeDayExport());
    await tracing.client.admin("PATCH", `/exports/${id}`, { status: "Paused" });
    await tracing.client.advance(exportMs);
    expect((await tracing.export(id)).status).toBe("Paused");
    expect((await tracing.client.admin("PATCH", `/exports/${unknownId}`, { status: "FAILED" })).status).toBe(404);
    expect((await tracing.client.admin("GET", `/exports/${unknownId}`)).status).toBe(404);
  });
});

describe("faults", () => {
  test.each([
    [{ export_run: {} }, "either error or stalls"],
    [{ export_run: { error: "x", stalls: true } }, "either error or stalls"],
    [{ export_run: { error: "x" }, status: 500 }, "status cannot be combined with export_run"],
  ])("of export runs such as %j are rejected as incomplete or contradictory", async (fault, message) => {
    const { admin } = await start();
    const detail = expect.stringContaining(message);
    expect(await admin("POST", "/faults", fault)).toMatchObject({ status: 422, body: { detail } });
  });

  test("apply to bulk export requests, which the request log records without secrets", async () => {
    const tracing = new TracingClient(await start());
    const body = await tracing.threeDayExport();
    const creation = { method: "POST", path: bulkExports };
    await tracing.client.emulator.faults.add({ ...creation, status: 429, body: { detail: "no" } });
    await tracing.client.emulator.faults.add({ ...creation, connection: "reset-after" });
    expect(await tracing.post(bulkExports, body)).toMatchObject({ status: 429, body: { detail: "no" } });
    await expect(tracing.post(bulkExports, body)).rejects.toThrow();
    expect(await tracing.exports()).toHaveLength(1);
    expect(tracing.client.emulator.requestLog.entries({ path: bulkExports })).toMatchObject([
      { method: "POST", status: 429, fault: "status 429", tenant_id: null },
      { method: "POST", status: null, fault: "reset-after", tenant_id: tracing.tenantId },
      { method: "GET", status: 200 },
    ]);
  });
});
