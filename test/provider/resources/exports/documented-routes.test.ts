/** How long commands wait on a server that has only the documented routes for exports, by the test clock. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { defaultTenantId } from "../../../../emulator/src/index";
import { RunState } from "../../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { TestClock } from "../../../support/clock";
import { listen } from "../../../support/servers/listen";
import { Stack, stateOf } from "../../../support/stack";

/** Starts a server with the two creates, the read of an export and the read of the workspace. Every 404 is a page. */
async function startDocumentedServer() {
  const exports = new Map<string, object>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const [line, id = ""] = [`${method} ${url.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "{id}")}`, url.split("/").at(-1)];
    requests.push(line);
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (line === "GET /api/v1/workspaces/{id}") return send(200, { id });
    if (line === "GET /api/v1/bulk-exports/{id}" && exports.has(id)) return send(200, exports.get(id));
    if (method !== "POST") return send(404, { detail: "Not Found" });
    const created = { ...((await json(request)) as object), id: randomUUID(), status: "CREATED" };
    if (!url.endsWith("destinations")) exports.set(created.id, created);
    send(200, created);
  });
  return { exports, requests, url: `http://127.0.0.1:${await listen(server)}`, clock: new TestClock() };
}

const destination = (displayName: string) => ({
  destinationType: "s3",
  displayName,
  config: { bucketName: "exports" },
  credentials: { accessKeyId: "a", secretAccessKey: "s" },
});
const exportTo = (bulkExportDestinationId: string): PropertyMap => ({
  ...{ bulkExportDestinationId, sessionId: randomUUID() },
  ...{ startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z" },
});

it("up, refresh and destroy of two destinations with exports wait for one missing route", async () => {
  const { clock, url, requests } = await startDocumentedServer();
  const stackOf = (kind: string, name: string) =>
    new Stack({ clock, url }, { kind, name, config: { tracingApiUrl: url, tenantId: defaultTenantId } });
  const pairs = ["a", "b"].map((name) => ({
    bucket: stackOf("BulkExportDestination", name),
    once: stackOf("BulkExport", name),
  }));
  /** One process per command, with the clients of one run. */
  const measured = async (
    apiKey: string,
    command: (hostOf: (stack: Stack) => ReturnType<Stack["host"]>) => Promise<void>,
  ) => {
    const [before, requestsBefore] = [clock.elapsedMs, requests.length];
    const run = new RunState();
    await command((stack) => stack.host({ apiKey }, run));
    return { seconds: Math.round((clock.elapsedMs - before) / 1000), requests: requests.length - requestsBefore };
  };
  const up = await measured("up", async (hostOf) => {
    for (const [index, { bucket, once: oneTime }] of pairs.entries()) {
      await bucket.up(destination(`bucket-${index}`), hostOf(bucket));
      await oneTime.up(exportTo(stateOf(bucket).id), hostOf(oneTime));
    }
  });
  const refresh = await measured("refresh", async (hostOf) => {
    for (const stack of pairs.flatMap(({ bucket, once: oneTime }) => [bucket, oneTime]))
      expect(await stack.refresh(hostOf(stack))).toBe("same");
  });
  const destroy = await measured("destroy", async (hostOf) => {
    for (const stack of pairs.flatMap(({ bucket, once: oneTime }) => [oneTime, bucket])) {
      await stack.destroy(hostOf(stack));
      expect(stack.messages.join()).toMatch(/not support (cancellation|deletion)/);
    }
  });
  expect({ up, refresh, destroy }).toEqual({
    up: { seconds: 35, requests: 18 },
    refresh: { seconds: 0, requests: 6 },
    destroy: { seconds: 35, requests: 26 },
  });
});

it("an export that reads do not find is gone on a server without a list", async () => {
  const { clock, url, exports } = await startDocumentedServer();
  const stack = new Stack(
    { clock, url },
    { kind: "BulkExport", config: { tracingApiUrl: url, tenantId: defaultTenantId } },
  );
  await stack.up(exportTo(randomUUID()));
  exports.clear();
  const before = clock.elapsedMs;
  expect(await stack.refresh()).toBe("gone");
  expect(clock.elapsedMs - before).toBe(16_000);
});
