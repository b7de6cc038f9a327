/** Projects, the workspace, destinations and exports looked up. */
import { defaultTenantId } from "../../../emulator/src";
import { failureOf } from "../../support/errors";
import { startWorkspace } from "../../support/exports";
import { program } from "../../support/functions";
import { type Platform, startPlatform } from "../../support/platform";

const SESSIONS = "GET /api/v1/sessions";
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `agent-${number}`);
const seed = (platform: Platform, names: string[]) =>
  platform.emulator.seed({ deployments: names.map((name) => ({ name })) });

describe("getProject", () => {
  it("finds the project of a deployment by its exact name", async () => {
    const platform = await startPlatform();
    await seed(platform, ["agent", "agent-2"]);
    const found = await program(platform)("getProject", { name: "agent" });
    expect(found).toEqual({
      ...{ id: expect.any(String), name: "agent", tenantId: defaultTenantId, startTime: expect.any(String) },
    });
    expect(platform.requests()).toEqual([SESSIONS]);
  });

  it("finds 150 with two pages of the list", async () => {
    const platform = await startPlatform();
    await seed(platform, numbered(150));
    const look = program(platform);
    const found = await Promise.all(numbered(150).map((name) => look("getProject", { name })));
    expect(found.map(({ name }) => name)).toEqual(numbered(150));
    expect(platform.requests()).toEqual([SESSIONS, SESSIONS]);
  });

  it("says which there are when there is none of a name", async () => {
    const platform = await startPlatform();
    await seed(platform, ["billing", "support"]);
    expect((await failureOf(program(platform)("getProject", { name: "suport" }))).message).toBe(
      'No tracing project with name "suport" is visible to this API key. Available: "support", "billing".',
    );
  });

  it("needs the settings of the tracing API alone", async () => {
    const platform = await startPlatform();
    await seed(platform, ["agent"]);
    expect(await program(platform, { controlPlaneUrl: "" })("getProject", { name: "agent" })).toMatchObject({
      name: "agent",
    });
    const { message } = await failureOf(program(platform, { tracingApiUrl: "" })("getProject", { name: "agent" }));
    expect(message).toMatch(/^Settings are missing: tracingApiUrl\n/);
  });
});

// @covers 4C.GET /api/v1/workspaces/{workspace_id}
it("getWorkspace tells the workspace of the settings, or another that the key opens", async () => {
  const platform = await startPlatform();
  const other = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
  await platform.emulator.seed({
    workspaces: [{ id: other, name: "red" }],
    keys: [{ key: "all", organization: true }],
  });
  const look = program(platform, { apiKey: "all" });
  expect(await look("getWorkspace")).toEqual({ id: defaultTenantId, displayName: "default" });
  expect(await look("getWorkspace", { id: other })).toEqual({ id: other, displayName: "red" });
  const { message } = await failureOf(look("getWorkspace", { id: other.replaceAll("a", "b") }));
  expect(message).toMatch(/404.*\nEither no object with this ID/);
});

describe("destinations", () => {
  it("are found by id and name, and listed; credentials are known by name alone", async () => {
    const ws = await startWorkspace();
    const look = program(ws);
    const found = await look("getBulkExportDestination", { id: ws.destinationId });
    expect(found).toMatchObject({
      ...{ id: ws.destinationId, destinationType: "s3", tenantId: defaultTenantId },
      config: { bucketName: expect.any(String), endpointUrl: expect.any(String) },
      credentialsKeys: ["access_key_id", "secret_access_key"],
    });
    expect(await look("getBulkExportDestination", { displayName: found.displayName })).toEqual(found);
    expect(await look("getBulkExportDestinations")).toEqual([found]);
    expect((await failureOf(look("getBulkExportDestination", { displayName: "x" }))).message).toBe(
      `No destination with displayName "x" is visible to this API key. Available: "${found.displayName}".`,
    );
  });
});

describe("exports", () => {
  // @covers 4C.GET /api/v1/bulk-exports/{export_id}
  it("are told by id with what came of them, run by run, in our names", async () => {
    const ws = await startWorkspace();
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime({ exportFields: ["id", "name"] }));
    await ws.advance(60_000);
    const id = stack.state?.id;
    const look = program(ws);
    const found = await look("getBulkExport", { id });
    expect(found).toMatchObject({
      ...{ id, status: "COMPLETED", sessionId: ws.sessionId, bulkExportDestinationId: ws.destinationId },
      ...{
        exportFields: ["id", "name"],
        finishedAt: expect.any(String),
        startTime: expect.stringMatching(/^2026-01-01T00:00:00/),
      },
    });
    expect(found).not.toHaveProperty("intervalHours");
    expect(await look("getBulkExports")).toEqual([found]);
    const runs = await look("getBulkExportRuns", { bulkExportId: id });
    expect(runs).toHaveLength(3);
    expect(runs[0]).toMatchObject({
      ...{ bulkExportId: id, status: "COMPLETED", retryNumber: 0 },
      metadata: { result: { rowsWritten: 24, exportedFiles: [expect.stringContaining(`export_id=${id}`)] } },
    });
  });

  it("of a schedule are found by it, and so are their runs", async () => {
    const ws = await startWorkspace();
    const stack = ws.stack("ScheduledBulkExport");
    await stack.up(ws.daily());
    await ws.advance(60_000);
    const look = program(ws);
    const all = await look("getBulkExports");
    const spawned = all.filter(({ sourceBulkExportId }: { sourceBulkExportId?: string }) => sourceBulkExportId);
    expect(spawned).toHaveLength(2);
    expect(spawned[0].sourceBulkExportId).toBe(stack.state?.id);
    expect(await look("getBulkExport", { id: stack.state?.id })).toMatchObject({ intervalHours: 24 });
    const runs = await look("getBulkExportRuns", { sourceBulkExportId: stack.state?.id });
    expect(new Set(runs.map(({ bulkExportId }: { bulkExportId: string }) => bulkExportId))).toEqual(
      new Set(spawned.map(({ id }: { id: string }) => id)),
    );
  });

  it("and destinations of many ids cost one list each, and one that is not there fails alone", async () => {
    const ws = await startWorkspace();
    await ws.stack("ScheduledBulkExport").up(ws.daily());
    await ws.advance(60_000);
    const look = program(ws);
    const all = await look("getBulkExports");
    expect(all).toHaveLength(3);
    await ws.emulator.journal.clear();
    const none = "99999999-9999-4999-8999-999999999999";
    const found = await Promise.allSettled([...all, { id: none }].map(({ id }) => look("getBulkExport", { id })));
    expect(found.slice(0, 3).map((one) => one.status === "fulfilled" && one.value)).toEqual(all);
    expect(found[3]).toMatchObject({
      reason: { message: expect.stringMatching(/404: .*\nEither no object with this ID/) },
    });
    const ids = [ws.destinationId, none, `${none.slice(0, -1)}8`];
    const destinations = await Promise.allSettled(ids.map((id) => look("getBulkExportDestination", { id })));
    expect(destinations.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(ws.requests()).toEqual([
      ...["GET /api/v1/bulk-exports", "GET /api/v1/bulk-exports/{id}"],
      ...["GET /api/v1/bulk-exports/destinations", ...Array(2).fill("GET /api/v1/bulk-exports/destinations/{id}")],
    ]);
  });

  it("are told by the bare interface with their status, and the list's absence is said", async () => {
    const ws = await startWorkspace({ interfaceOnly: true });
    const stack = ws.stack("BulkExport");
    await stack.up(ws.oneTime());
    const look = program(ws);
    expect(await look("getBulkExport", { id: stack.state?.id })).toEqual({ id: stack.state?.id, status: "CREATED" });
    expect((await failureOf(look("getBulkExports"))).message).toContain(
      "Either this server does not support the function, or the URL is incorrect.",
    );
  });
});
