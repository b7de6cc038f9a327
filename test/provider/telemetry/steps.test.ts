/**
 * What a trace shows of the steps of a resource besides its requests, and which servers learn which trace a request
 * belongs to.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import * as protobuf from "google-protobuf";
import { RunState } from "../../../provider/engine/run/run-state";
import { openTrace } from "../../../provider/telemetry/open-trace";
import { dockerDeployment } from "../../support/deployments/inputs";
import { createAgentFolder, createFolder, internalSource } from "../../support/deployments/source-folder";
import { failureOf } from "../../support/errors";
import { startWorkspace } from "../../support/exports/exports";
import { startPlatform } from "../../support/platform";
import { startCollector } from "../../support/servers/collector";
import { Stack } from "../../support/stack";

/** Returns the spans of an `up`. */
async function spansOfUp(stack: Stack, declared: Parameters<Stack["up"]>[0], fails = false) {
  const collector = await startCollector();
  const trace = openTrace({
    environment: { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
    loadModules: () => ({ grpc, protobuf }),
  });
  const up = stack.up(declared, stack.host({}, new RunState(undefined, trace)));
  await (fails ? failureOf(up) : up);
  await trace.flush();
  return collector;
}

/** The requests that undici sends, with their headers. */
function recordRequests() {
  const sent: { method: string; headers: string[] }[] = [];
  const record = (message: unknown) => sent.push((message as { request: (typeof sent)[number] }).request);
  subscribe("undici:request:create", record);
  return { sent, stop: () => unsubscribe("undici:request:create", record) };
}

test("The trace of a source folder has its digest and packing; an upload has no URL and no trace", async () => {
  const platform = await startPlatform();
  const { sent, stop } = recordRequests();
  const declared = internalSource({ sourcePath: createAgentFolder() });
  const { spans, received } = await spansOfUp(new Stack(platform), declared);
  stop();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const nameOf = (id: string | undefined) => spans.find((span) => span.id === id)?.name;
  expect(named("compute sourceDigest").map(({ parentId }) => nameOf(parentId))).toEqual(["Deployment check"]);
  const [packing, ...others] = named("pack source");
  expect([nameOf(packing?.parentId), others]).toEqual(["Deployment create", []]);
  expect(packing?.attributes["agentgraph.source.bytes"]).toBeGreaterThan(100);
  const [upload] = named("PUT /REDACTED");
  expect(upload?.attributes).toMatchObject({
    "url.full": expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/REDACTED$/),
  });
  const [{ path = "" } = {}] = platform.emulator.requestLog.entries({ method: "PUT" });
  expect(path.length).toBeGreaterThan(20);
  expect(received.join()).not.toContain(path);

  const traced = sent.map(({ method, headers }) => [method === "PUT", headers.includes("traceparent")]);
  expect(traced.filter(([isUpload]) => isUpload)).toEqual([[true, false]]);
  expect(traced.filter(([isUpload]) => !isUpload).length).toBeGreaterThan(4);
  expect(new Set(traced.map(([isUpload, isTraced]) => isUpload !== isTraced))).toEqual(new Set([true]));
});

test("A check is a step of the trace and of the request log, with its attempts and why it failed", async () => {
  const platform = await startPlatform();
  const log = join(createFolder(), "requests.jsonl");
  const verify = [
    { http: { path: "/ok" } },
    { name: "broken", http: { path: "/ok", expect: { status: 404 } }, attempts: 2 },
  ];
  const stack = new Stack(platform, { config: { requestLog: log } });
  const { spans } = await spansOfUp(stack, dockerDeployment({ verify }), true);
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  const steps = lines.map((line) => JSON.parse(line)).filter(({ step }) => step !== undefined);
  const error = 'expected status 404, but got status 200: {"ok":true}';
  const common = { step: "check http", operation: "create", urn: expect.stringMatching(/Deployment/) };
  expect(steps).toMatchObject([
    { ...common, check: "http /ok", attempts: 1, outcome: "passed", durationMs: expect.any(Number) },
    { ...common, check: "broken", attempts: 2, outcome: "failed", error },
  ]);
  const attributes = ({ check, attempts, outcome }: (typeof steps)[number]) => ({
    ...{ "agentgraph.check": check, "agentgraph.attempts": attempts, "agentgraph.outcome": outcome },
  });
  const checks = spans.filter(({ name }) => name === "check http");
  expect(checks.map((span) => [span.attributes, span.error])).toEqual(
    steps.map((step) => [attributes(step), step.error ?? undefined]),
  );
});

test("The wait for an export has an event for each status", async () => {
  const workspace = await startWorkspace();
  const { spans } = await spansOfUp(workspace.stack("BulkExport"), workspace.oneTime({ waitFor: "completed" }));
  const [wait] = spans.filter(({ name }) => name === "wait for export");
  expect(wait?.events[0]).toMatch(/^[A-Z]+$/);
  expect(wait?.events).toContain("COMPLETED");
});
