import { bulkExports, headers, TracingClient } from "../support/bulk-export/exports";
import { start } from "../support/emulator";
import { expectError } from "../support/rejections";

const unknownId = "00000000-0000-4000-8000-000000000000";
const other = "aaaaaaaa-0000-4000-8000-000000000001";

// @covers 5.item 2
test.each([
  ["GET", bulkExports],
  ["POST", bulkExports],
  ["GET", `${bulkExports}/${unknownId}`],
  ["PATCH", `${bulkExports}/${unknownId}`],
  ["GET", `${bulkExports}/${unknownId}/runs`],
  ["GET", `${bulkExports}/runs?source_bulk_export_id=${unknownId}`],
  ["GET", `${bulkExports}/destinations`],
  ["POST", `${bulkExports}/destinations`],
  ["GET", `${bulkExports}/destinations/${unknownId}`],
  ["PATCH", `${bulkExports}/destinations/${unknownId}`],
  ["DELETE", `${bulkExports}/destinations/${unknownId}`],
  ["GET", "/api/v1/sessions"],
  ["GET", `/api/v1/workspaces/${unknownId}`],
])("%s %s requires the API key and the workspace, each in its header", async (method, path) => {
  const { send } = await start({ strict: true });
  const statusOf = async (requestHeaders: Record<string, string>) =>
    (await send(method, path, undefined, requestHeaders)).status;
  const { status, body } = await send(method, path, undefined, { "X-API-Key": "k" });
  expect([status, body.detail]).toEqual([403, expect.stringContaining("requires workspace specification")]);
  expect(await statusOf({ "X-Tenant-Id": other })).toBe(401);
  expect(await statusOf({ "X-Tenant-Id": other, authorization: "Bearer k" })).toBe(401);
  expect(await statusOf({ "X-Tenant-Id": "mine", "X-API-Key": "k" })).toBe(422);
  expect([200, 404, 422]).toContain(await statusOf({ "X-API-Key": "k", "X-Tenant-Id": other }));
  expect([200, 404, 422]).toContain(await statusOf({ "x-api-key": "k", "x-tenant-id": other }));
});

test("a tolerant server accepts a bearer token instead of the API key", async () => {
  const { send } = await start();
  const response = await send("GET", bulkExports, undefined, { authorization: "Bearer t", "x-tenant-id": other });
  expect(response.status).toBe(200);
});

// @covers 5.item 2, 4C.GET /api/v1/bulk-exports/destinations, 4C.GET /api/v1/bulk-exports/destinations/{destination_id}
// @covers 4C.GET /api/v1/bulk-exports, 4C.GET /api/v1/bulk-exports/{export_id}/runs/{run_id}
test("workspaces do not see each other's destinations, exports and runs", async () => {
  const tracing = new TracingClient(await start({ strict: true }));
  const body = await tracing.threeDayExport();
  const { id } = await tracing.create(body);
  const otherTracing = new TracingClient(tracing.client, other);
  const destination = `${bulkExports}/destinations/${body.bulk_export_destination_id}`;
  expect((await tracing.get(destination)).status).toBe(200);
  expect((await otherTracing.get(destination)).status).toBe(404);
  expect((await otherTracing.remove(destination)).status).toBe(404);
  expect((await otherTracing.get(`${bulkExports}/destinations`)).body).toEqual([]);
  expect((await otherTracing.get(bulkExports)).body).toEqual([]);
  expect((await otherTracing.get(`${bulkExports}/${id}`)).status).toBe(404);
  expect((await otherTracing.get(`${bulkExports}/${id}/runs`)).status).toBe(404);
  expect((await otherTracing.cancel(id)).status).toBe(404);
  const ownExport = { ...body, bulk_export_destination_id: await otherTracing.destination() };
  expectError(await otherTracing.post(bulkExports, body), 404, expect.stringContaining("destination"));
  expectError(await otherTracing.post(bulkExports, ownExport), 404, expect.stringContaining("Session"));
  expect((await tracing.export(id)).status).toBe("CREATED");
});

// API `1C:plan`: only paid higher tiers have exports.
// @covers 1C:plan, 7.403
test("a plan without bulk exports returns 403, except for workspaces and projects", async () => {
  const { send } = await start({ strict: true, plan: "developer" });
  const statusOf = (path: string) => send("GET", path, undefined, headers(other));
  for (const path of [bulkExports, `${bulkExports}/destinations`, `${bulkExports}/${unknownId}`])
    expectError(await statusOf(path), 403, expect.stringContaining("not enabled"));
  expect((await statusOf(`/api/v1/workspaces/${other}`)).status).toBe(200);
  expect((await statusOf("/api/v1/sessions")).status).toBe(200);
});
