/** The client of the tracing API: its requests, and responses with as few fields as the interface specifies. */
import { collectAll } from "../../../../provider/api/pagination";
import { TracingClient } from "../../../../provider/api/tracing/client";
import { failureOf } from "../../../support/errors";
import { openJsonClient } from "../../../support/servers/http-client";
import { json, TestServer } from "../../../support/servers/server";

type Reply = ReturnType<typeof json>;

async function startClient(...replies: Reply[]): Promise<{ client: TracingClient; server: TestServer }> {
  const server = await TestServer.start(replies);
  const { jsonClient, clock } = openJsonClient(server.url, {
    headers: { "X-Api-Key": "the-key", "X-Tenant-Id": "t-1" },
    hint: "Is tracingApiUrl correct?",
  });
  return { server, client: new TracingClient(jsonClient, clock) };
}
const ok = (body: unknown) => json(200, body);

describe("Requests of TracingClient", () => {
  // @covers 5.item 2, 9.item 2
  it.each<[string, (client: TracingClient) => Promise<unknown>, string]>([
    ["createDestination", (client) => client.createDestination({}), "POST /api/v1/bulk-exports/destinations"],
    ["getDestination", (client) => client.getDestination("a:b"), "GET /api/v1/bulk-exports/destinations/a%3Ab"],
    ["rotateCredentials", (client) => client.rotateCredentials("d", {}), "PATCH /api/v1/bulk-exports/destinations/d"],
    ["deleteDestination", (client) => client.deleteDestination("d"), "DELETE /api/v1/bulk-exports/destinations/d"],
    ["createExport", (client) => client.createExport({}), "POST /api/v1/bulk-exports"],
    ["getExport", (client) => client.getExport("e"), "GET /api/v1/bulk-exports/e"],
    ["cancelExport", (client) => client.cancelExport("e"), "PATCH /api/v1/bulk-exports/e"],
    ["getWorkspace", (client) => client.getWorkspace("t-1"), "GET /api/v1/workspaces/t-1"],
  ])("%s sends one request, with both headers", async (_method, call, request) => {
    const { client, server } = await startClient(ok({ id: "x", status: "CREATED" }));
    await call(client);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
    expect(server.requests[0]?.headers).toMatchObject({ "x-api-key": "the-key", "x-tenant-id": "t-1" });
  });

  it.each<[string, (client: TracingClient) => Promise<unknown[]>, string]>([
    ["listDestinations", (client) => client.listDestinations(), "/api/v1/bulk-exports/destinations"],
    ["listExports", (client) => client.listExports(), "/api/v1/bulk-exports"],
    ["listExportRuns", (client) => client.listExportRuns("e"), "/api/v1/bulk-exports/e/runs"],
    ["listSpawnedRuns", (client) => client.listSpawnedRuns("e"), "/api/v1/bulk-exports/runs?source_bulk_export_id=e"],
    ["listProjects", (client) => collectAll(client.listProjects("a b")), "/api/v1/sessions?name=a+b&limit=100"],
  ])("%s reads an array and drops items without an ID", async (_method, call, url) => {
    const { client, server } = await startClient(ok([{ id: "1", unknown: 1 }, { name: "without an ID" }, null]));
    expect(await call(client)).toMatchObject([{ id: "1" }]);
    expect(server.requests[0]?.url).toBe(url);
  });

  it("fail with the server's message when a success response has an error text and no ID", async () => {
    const { client } = await startClient(json(201, { detail: "the destination is being deleted" }));
    await expect(client.createExport({ sessionId: "p", startTime: "2026-01-01T00:00:00Z" })).rejects.toThrow(
      /^POST \/api\/v1\/bulk-exports: 201: the response has no ID, and says: the destination is/,
    );
  });

  it("cancel an export with the spelling that the server accepts", async () => {
    const { client, server } = await startClient(ok({ id: "e", status: "Cancelled" }));
    expect(await client.cancelExport("e")).toMatchObject({ id: "e", status: "CANCELLED" });
    expect(server.requests[0]?.body).toBe('{"status":"Cancelled"}');
  });
});

describe("Responses of the tracing API", () => {
  // @covers 2C.Export job:status, 3.Export status, 10C.casing
  it.each([
    ["Created", "CREATED"],
    ["TimedOut", "TIMEDOUT"],
    ["RUNNING", "RUNNING"],
    ["IntervalScheduled", "INTERVALSCHEDULED"],
    ["a new status", "A NEW STATUS"],
  ])("with the status %s are read as %s", async (remoteStatus, status) => {
    const { client } = await startClient(ok({ status: remoteStatus }));
    expect(await client.getExport("e")).toMatchObject({ id: "e", status });
  });

  it("of runs are read with their nested fields", async () => {
    const run = {
      ...{ id: "r", status: "Completed", retry_number: 1, errors: { retry_0: "Access Denied" } },
      metadata: { prefix: "p", result: { rows_written: 7, exported_files: ["f"], export_path: "x", more: 1 } },
    };
    const { client } = await startClient(ok([run, { id: "s", errors: null, metadata: null }]));
    expect(await client.listExportRuns("e")).toMatchObject([
      {
        ...{ id: "r", status: "COMPLETED", retryNumber: 1, errors: { retry_0: "Access Denied" } },
        metadata: { prefix: "p", result: { rowsWritten: 7, exportedFiles: ["f"], exportPath: "x" } },
      },
      { id: "s", errors: null, metadata: null },
    ]);
  });

  it("to a create without an ID leave the outcome unknown", async () => {
    for (const body of [{}, null, [], "text", { id: {} }, { id: 0.5 }]) {
      const { client } = await startClient(ok(body));
      expect(await failureOf(client.createExport({}))).toMatchObject({ outcomeUnknown: true });
    }
  });

  // @covers 2C.Export job:response
  it("without a status, or that are not a list, fail and name the problem", async () => {
    const { client } = await startClient(ok({ id: "e" }), ok({ items: [] }));
    await expect(client.getExport("e")).rejects.toThrow(/status is missing.*Is tracingApiUrl correct/s);
    await expect(client.listExports()).rejects.toThrow(/the body is not a list/);
  });

  it("with 403 name the required plan and the source of the API key", async () => {
    const { client } = await startClient(json(403, { detail: "not enabled" }));
    await expect(client.listExports()).rejects.toThrow(
      /403: not enabled\n.*Enterprise plan, or the Plus.*\n.*lack access(.*\n)+ {2}API key {2}from the test/,
    );
  });
});
