/** The functions for projects, workspaces, destinations and bulk exports. */
import { defaultTenantId } from "../../../emulator/src";
import { failureOf } from "../../support/errors";
import { createExport, startWorkspace } from "../../support/exports/exports";
import { type Platform, startPlatform } from "../../support/platform";
import { program } from "./program";

const SESSIONS = "GET /api/v1/sessions";
const seed = (platform: Platform, names: string[]) =>
  platform.emulator.seed({ deployments: names.map((name) => ({ name })) });

describe("getProject", () => {
  it("finds the project of a deployment by its exact name", async () => {
    const platform = await startPlatform();
    await seed(platform, ["agent", "agent-2"]);
    const result = await program(platform)("getProject", { name: "agent" });
    expect(result).toEqual({
      ...{ id: expect.any(String), name: "agent", tenantId: defaultTenantId, startTime: expect.any(String) },
    });
    expect(platform.requests()).toEqual([SESSIONS]);
  });

  it("needs only the settings of the tracing API", async () => {
    const platform = await startPlatform();
    await seed(platform, ["agent"]);
    expect(await program(platform, { controlPlaneUrl: "" })("getProject", { name: "agent" })).toMatchObject({
      name: "agent",
    });
    await expect(program(platform, { tracingApiUrl: "" })("getProject", { name: "agent" })).rejects.toThrow(
      /^Settings are missing: tracingApiUrl\n/,
    );
  });
});

// @covers 4C.GET /api/v1/workspaces/{workspace_id}
it("getWorkspace returns the workspace of the settings, or another that the API key can access", async () => {
  const platform = await startPlatform();
  const other = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
  await platform.emulator.seed({
    workspaces: [{ id: other, name: "red" }],
    keys: [{ key: "all", organization: true }],
  });
  const call = program(platform, { apiKey: "all" });
  expect(await call("getWorkspace")).toEqual({ id: defaultTenantId, displayName: "default" });
  expect(await call("getWorkspace", { id: other })).toEqual({ id: other, displayName: "red" });
  await expect(call("getWorkspace", { id: other.replaceAll("a", "b") })).rejects.toThrow(
    /404.*\nEither no object with this ID/,
  );
});

it("Destinations are found by ID and name, and listed, with only the names of their credentials", async () => {
  const ws = await startWorkspace();
  const call = program(ws);
  const result = await call("getBulkExportDestination", { id: ws.destinationId });
  expect(result).toMatchObject({
    ...{ id: ws.destinationId, destinationType: "s3", tenantId: defaultTenantId },
    config: { bucketName: expect.any(String), endpointUrl: expect.any(String) },
    credentialsKeys: ["access_key_id", "secret_access_key"],
  });
  expect(await call("getBulkExportDestination", { displayName: result.displayName })).toEqual(result);
  expect(await call("getBulkExportDestinations")).toEqual([result]);
  expect((await failureOf(call("getBulkExportDestination", { displayName: "x" }))).message).toBe(
    `No destination with displayName "x" is visible to this API key. Available: "${result.displayName}".`,
  );
});

describe("Exports", () => {
  // @covers 4C.GET /api/v1/bulk-exports/{export_id}
  it("are returned by ID, with their runs", async () => {
    const { ws, stack } = await createExport("BulkExport", { exportFields: ["id", "name"] });
    await ws.advance(60_000);
    const id = stack.state?.id;
    const call = program(ws);
    const result = await call("getBulkExport", { id });
    expect(result).toMatchObject({
      ...{ id, status: "COMPLETED", sessionId: ws.sessionId, bulkExportDestinationId: ws.destinationId },
      ...{ exportFields: ["id", "name"], finishedAt: expect.any(String) },
      startTime: expect.stringMatching(/^2026-01-01T00:00:00/),
    });
    expect(result).not.toHaveProperty("intervalHours");
    expect(await call("getBulkExports")).toEqual([result]);
    const runs = await call("getBulkExportRuns", { bulkExportId: id });
    expect(runs).toHaveLength(3);
    expect(runs[0]).toMatchObject({
      ...{ bulkExportId: id, status: "COMPLETED", retryNumber: 0 },
      metadata: { result: { rowsWritten: 24, exportedFiles: [expect.stringContaining(`export_id=${id}`)] } },
    });
  });

  it("of a schedule are returned with its ID, and so are their runs", async () => {
    const { ws, stack } = await createExport("ScheduledBulkExport");
    await ws.advance(60_000);
    const call = program(ws);
    const all = await call("getBulkExports");
    const spawned = all.filter(({ sourceBulkExportId }: { sourceBulkExportId?: string }) => sourceBulkExportId);
    expect(spawned).toHaveLength(2);
    expect(spawned[0].sourceBulkExportId).toBe(stack.state?.id);
    expect(await call("getBulkExport", { id: stack.state?.id })).toMatchObject({ intervalHours: 24 });
    const runs = await call("getBulkExportRuns", { sourceBulkExportId: stack.state?.id });
    expect(new Set(runs.map(({ bulkExportId }: { bulkExportId: string }) => bulkExportId))).toEqual(
      new Set(spawned.map(({ id }: { id: string }) => id)),
    );
  });

  it("and destinations are read with one list request for many IDs, and only an unknown ID fails", async () => {
    const ws = await startWorkspace();
    await ws.stack("ScheduledBulkExport").up(ws.daily());
    await ws.advance(60_000);
    const call = program(ws);
    const all = await call("getBulkExports");
    expect(all).toHaveLength(3);
    await ws.emulator.requestLog.clear();
    const none = "99999999-9999-4999-8999-999999999999";
    const result = await Promise.allSettled([...all, { id: none }].map(({ id }) => call("getBulkExport", { id })));
    expect(result.slice(0, 3).map((one) => one.status === "fulfilled" && one.value)).toEqual(all);
    expect(result[3]).toMatchObject({
      reason: { message: expect.stringMatching(/404: .*\nEither no object with this ID/) },
    });
    const ids = [ws.destinationId, none, `${none.slice(0, -1)}8`];
    const destinations = await Promise.allSettled(ids.map((id) => call("getBulkExportDestination", { id })));
    expect(destinations.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(ws.requests()).toEqual([
      ...["GET /api/v1/bulk-exports", "GET /api/v1/bulk-exports/{id}"],
      ...["GET /api/v1/bulk-exports/destinations", ...Array(2).fill("GET /api/v1/bulk-exports/destinations/{id}")],
    ]);
    const body = [{ id: none, filter: { of: "another form" } }];
    await ws.addFault({ method: "GET", path: "/api/v1/bulk-exports", status: 200, body, times: 2 });
    expect(await Promise.all(all.map(({ id }: { id: string }) => call("getBulkExport", { id })))).toEqual(all);
    await expect(call("getBulkExports")).rejects.toThrow(`It is about the item with ID ${none}: a newer version`);
  });

  it("are returned with their status alone by a server with the interface alone, which has no list", async () => {
    const { ws, stack } = await createExport("BulkExport", {}, { server: { interfaceOnly: true } });
    const call = program(ws);
    expect(await call("getBulkExport", { id: stack.state?.id })).toEqual({ id: stack.state?.id, status: "CREATED" });
    expect((await failureOf(call("getBulkExports"))).message).toContain(
      "Either this server does not support the function, or the URL is incorrect.",
    );
  });
});
