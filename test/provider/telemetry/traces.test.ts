/**
 * Traces: what a collector receives of the requests and waits of an operation, and what happens without a collector.
 */
import * as grpc from "@grpc/grpc-js";
import * as protobuf from "google-protobuf";
import { RunState } from "../../../provider/engine/run/run-state";
import { readSettings } from "../../../provider/settings/settings";
import { ObservedRequests } from "../../../provider/telemetry/observed-requests";
import { openTrace } from "../../../provider/telemetry/open-trace";
import { NO_TRACE } from "../../../provider/telemetry/trace";
import { cleanMessage } from "../../../provider/text/clean";
import { dockerDeployment } from "../../support/deployments/inputs";
import { startPlatform } from "../../support/platform";
import { type ReceivedSpan, startCollector } from "../../support/servers/collector";
import { openHttpClient } from "../../support/servers/http-client";
import { closedPort, json, TestServer } from "../../support/servers/server";
import { Stack } from "../../support/stack";
import { TestClock } from "../../support/time/clock";

const KEY = "canary-of-the-api-key";
const SECRET = "canary-of-a-secret";

function traceTo(endpoint: string, variables: Record<string, string> = {}) {
  const warnings: string[] = [];
  const trace = openTrace({
    environment: { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...variables },
    run: "127.0.0.1:9",
    clock: new TestClock(),
    loadModules: () => ({ grpc, protobuf }),
    warn: (text) => void warnings.push(text),
  });
  return { trace, warnings };
}

/** The timers after which a flush gives up. They fire when a test says so, whatever the load of the machine. */
let giveUps: { delayMs: number | undefined; fire(): void }[];
beforeEach(() => {
  giveUps = [];
  const { setTimeout: realTimeout } = globalThis;
  const replaced = (callback: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) => {
    if (args[0] !== "late") return realTimeout(callback, delayMs, ...args);
    giveUps.push({ delayMs, fire: () => callback("late") });
    return realTimeout(() => undefined, 0);
  };
  jest.spyOn(globalThis, "setTimeout").mockImplementation(replaced as typeof setTimeout);
});
afterEach(() => jest.restoreAllMocks());

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

/** Sends one request as a part of an operation, and returns the spans. */
async function spansOf(replies: Parameters<typeof TestServer.start>[0], isTraced: boolean) {
  const [collector, server] = [await startCollector(), await TestServer.start(replies)];
  const { trace } = traceTo(collector.endpoint);
  const requests = new ObservedRequests(trace);
  const observe = requests.observer(readSettings(() => undefined, {}));
  const { http } = openHttpClient(server.url, { observe, isTraced });
  const call = {
    ...{ urn: "urn:a", kind: "Thread", operation: "create" },
    ...{ clean: (text: string) => text, debug: async () => undefined, warn: () => undefined },
  };
  const path = "/v2/things/0f24b26d-0721-4a52-bdfb-e3fb389903a4";
  const send = () => http.send({ method: "GET", path, query: { token: SECRET } });
  await requests.during(call, send).catch(() => undefined);
  await trace.flush();
  return { spans: collector.spans, server };
}

test("The span of an operation has the resource, the run, and a span for each wait and each attempt", async () => {
  const { spans, server } = await spansOf(
    [
      json(429, { detail: "slow down" }, { "retry-after": "2", "x-request-id": "r-1" }),
      json(503, {}),
      json(200, {}, { "x-request-id": "r-3" }),
    ],
    true,
  );
  const [operation] = named(spans, "Thread create");
  expect(operation).toMatchObject({
    parentId: "",
    attributes: {
      ...{ "pulumi.urn": "urn:a", "agentgraph.kind": "Thread", "agentgraph.operation": "create" },
      "agentgraph.run": "127.0.0.1:9",
    },
    resource: { "service.name": "pulumi-agentgraph" },
    error: undefined,
  });
  const attempts = named(spans, "GET /v2/things/{id}");
  const common = {
    "http.request.method": "GET",
    "url.full": `${server.url.origin}/v2/things/0f24b26d-0721-4a52-bdfb-e3fb389903a4?token=REDACTED`,
    "server.address": "127.0.0.1",
    "server.port": server.port,
  };
  const [limited, failed, succeeded] = attempts.map(({ attributes }) => attributes);
  expect(limited).toEqual({
    ...common,
    ...{ "http.response.status_code": 429, "error.type": "429", "agentgraph.request_id": "r-1" },
  });
  expect(failed).toEqual({
    ...common,
    ...{ "http.response.status_code": 503, "error.type": "503", "http.request.resend_count": 1 },
  });
  expect(succeeded).toEqual({
    ...common,
    ...{ "http.response.status_code": 200, "agentgraph.request_id": "r-3", "http.request.resend_count": 2 },
  });
  expect(attempts.map(({ error }) => error)).toEqual(["slow down", expect.anything(), undefined]);
  const durations = (name: string) =>
    named(spans, `wait for ${name}`).map(({ startedAt, endedAt }) => Math.round(endedAt - startedAt));
  expect(durations("rate limit")).toEqual([2000]);
  expect(durations("retry delay")).toHaveLength(1);
  for (const { traceId, parentId, id } of spans)
    expect([traceId, parentId]).toEqual([operation?.traceId, id === operation?.id ? "" : operation?.id]);
  expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual(
    attempts.map(({ traceId, id }) => `00-${traceId}-${id}-01`),
  );
});

test("A request that waits for the limit of concurrent requests has a span for this wait", async () => {
  const collector = await startCollector();
  const { trace } = traceTo(collector.endpoint);
  const observe = new ObservedRequests(trace).observer(readSettings(() => undefined, {}));
  // The first response is sent 500 ms after both requests began, whenever it reaches the server.
  const server = await TestServer.start([
    (response, request) => void clock.sleep(begin + 500 - clock.now()).then(() => json(200, {})(response, request)),
  ]);
  const { http, clock } = openHttpClient(server.url, { observe, maxConcurrentRequests: 1 });
  const begin = clock.now();
  await Promise.all(["/a", "/b"].map((path) => http.send({ method: "GET", path })));
  await trace.flush();
  const waits = named(collector.spans, "wait for connection limit");
  expect(waits.map(({ startedAt, endedAt }) => Math.round(endedAt - startedAt))).toEqual([500]);
});

test("Only servers of the settings learn which trace a request belongs to", async () => {
  const { spans, server } = await spansOf([json(200, {})], false);
  expect(named(spans, "GET /v2/things/{id}")).toHaveLength(1);
  expect(server.requests[0]?.headers).not.toHaveProperty("traceparent");
});

test("Spans reach the collector on this machine, although the environment names a proxy", async () => {
  process.env.http_proxy = "http://127.0.0.1:1";
  try {
    const { spans } = await spansOf([json(200, {})], true);
    expect(named(spans, "Thread create")).toHaveLength(1);
  } finally {
    delete process.env.http_proxy;
  }
});

test("A request without a response has the code of the network error", async () => {
  const { spans } = await spansOf([(_response, request) => request.socket.resetAndDestroy()], true);
  const [attempt] = named(spans, "GET /v2/things/{id}");
  expect(attempt?.attributes).toMatchObject({ "error.type": expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) });
  expect(named(spans, "Thread create")[0]?.attributes).toMatchObject({ "error.type": "HttpError" });
});

test("The trace of a run has all attempts, an event for each status of a rollout, and no secret", async () => {
  // The intervals between polls are random, and so would be the statuses that they see.
  jest.spyOn(Math, "random").mockReturnValue(0.5);
  const [platform, collector] = [await startPlatform(), await startCollector()];
  const { trace } = traceTo(collector.endpoint);
  const stack = new Stack(platform, { config: { apiKey: KEY } });
  const host = () => stack.host({}, new RunState(undefined, trace));
  await stack.up(dockerDeployment({ secrets: { MODEL_KEY: SECRET } }), host());
  await platform.emulator.faults.add({
    revision: { deployment: "agent", ends: "DEPLOY_FAILED", logs: [`the key ${SECRET} is not valid`] },
  });
  const change = dockerDeployment({ secrets: { MODEL_KEY: SECRET, MORE: KEY } });
  await expect(stack.up(change, host())).rejects.toThrow("DEPLOY_FAILED");
  await stack.up(change, host());
  await trace.flush();
  const [created, failed] = named(collector.spans, "wait for rollout");
  expect(created).toMatchObject({ events: ["CREATING", "QUEUED", "DEPLOYING", "DEPLOYED"], error: undefined });
  expect(failed?.events.at(-1)).toBe("DEPLOY_FAILED");
  expect(failed?.error).toMatch(/^Deployment "agent": revision rollout failed with DEPLOY_FAILED after \d+ s\.$/);
  const updates = named(collector.spans, "Deployment update");
  expect(updates.map(({ attributes }) => attributes["agentgraph.resumed"])).toEqual([undefined, true]);
  expect(collector.spans.filter(({ kind }) => kind === 3)).toHaveLength(platform.emulator.requestLog.entries().length);
  for (const secret of [SECRET, KEY]) expect(collector.received.join()).not.toContain(secret);
});

test("The trace of a process continues that of the one that started it, unless that is not sampled", async () => {
  const collector = await startCollector();
  const parent = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  for (const flags of ["01", "00"]) {
    const { trace } = traceTo(collector.endpoint, { TRACEPARENT: `00-${parent.join("-")}-${flags}` });
    await trace.span({ name: flags }, async () => undefined);
    await trace.flush();
  }
  expect(collector.spans).toMatchObject([{ name: "01", traceId: parent[0], parentId: parent[1] }]);
});

test("The error of a span is redacted before all but its first line is left out", async () => {
  const collector = await startCollector();
  const { trace } = traceTo(collector.endpoint);
  const key = Buffer.from(`${SECRET} `.repeat(9));
  const clean = (text: string) => cleanMessage(text, [key.toString()]);
  const lines = key.toString("base64").match(/.{1,76}/g) as string[];
  const failing = trace.span({ name: "a", clean }, () => Promise.reject(new Error(`not valid: ${lines.join("\n")}`)));
  await expect(failing).rejects.toThrow("not valid");
  await trace.flush();
  expect(collector.spans.map(({ error }) => error)).toEqual(["not valid: [secret]"]);
});

test.each([
  ["An unreachable collector", async () => `127.0.0.1:${await closedPort()}`, "connect ECONNREFUSED 127[\\d.:]+"],
  ["An endpoint that is not an address", async () => "dns://1/2/3", ".*Invalid IP address: 1"],
])("%s is a warning, once, and stops nothing", async (_what, endpointOf, reason) => {
  const endpoint = await endpointOf();
  const { trace, warnings } = traceTo(endpoint);
  for (const name of ["first", "second"]) {
    expect(await trace.span({ name }, async () => name)).toBe(name);
    await trace.flush();
  }
  const warning = `^Traces are incomplete: the collector ${endpoint} is not reachable: ${reason}\\.$`;
  expect(warnings).toEqual([expect.stringMatching(new RegExp(warning))]);
});

test("A collector that does not respond delays the end by two seconds at most, and is one warning", async () => {
  const received = Promise.withResolvers<void>();
  const collector = await startCollector(() => {
    received.resolve();
    return new Promise(() => undefined);
  });
  const { trace, warnings } = traceTo(collector.endpoint);
  for (let index = 0; index < 600; index++) await trace.span({ name: "first" }, async () => undefined);
  await received.promise;
  const sentAt = Date.now();
  const now = jest.spyOn(Date, "now").mockReturnValue(sentAt + 1_900_000);
  const flushed = trace.flush();
  expect(giveUps.map(({ delayMs }) => delayMs)).toEqual([100]);
  giveUps[0]?.fire();
  await flushed;
  now.mockRestore();
  await trace.span({ name: "second" }, async () => undefined);
  await trace.flush();
  // The second flush does not wait at all.
  expect(giveUps).toHaveLength(1);
  expect(warnings).toEqual([expect.stringMatching(/ did not respond within 2 s\.$/)]);
});

test("Nothing is recorded unless the engine names a collector", () => {
  const environment = { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: "", TRACEPARENT: "00-1-1-01" };
  const loadModules = () => {
    throw new Error("loaded");
  };
  expect(openTrace({ environment, loadModules })).toBe(NO_TRACE);
});
