/** The native provider continues the trace of the engine, which sends it with each call. */
import * as grpc from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import * as protobuf from "google-protobuf";
import { nativeToken } from "../../../provider/definition/type-token";
import { RunState } from "../../../provider/engine/run/run-state";
import { openTrace } from "../../../provider/telemetry/open-trace";
import { PluginClient, toStruct } from "../../support/hosts/plugin-client";
import { startPlatform } from "../../support/platform";
import { startCollector } from "../../support/servers/collector";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const parents = { create: "b7ad6b7169203331", invoke: "00f067aa0ba902b7" };
const metadata = (call: keyof typeof parents) => ({ traceparent: `00-${TRACE}-${parents[call]}-01` });

test("An operation and a function are below the engine's span of their call, also at the same time", async () => {
  const [platform, collector] = [await startPlatform(), await startCollector()];
  const environment = { PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const trace = openTrace({ environment, loadModules: () => ({ grpc, protobuf }) });
  const plugin = await PluginClient.start(platform.clock, undefined, new RunState(undefined, trace));
  await plugin.configure({ controlPlaneUrl: platform.url, apiKey: "of-the-traced-plugin" });
  const inputs = { source: "external_docker", name: "agent", sourceRevisionConfig: { imageUri: "r.example.com/a:1" } };
  const create = new messages.CreateRequest()
    .setUrn(`urn:pulumi:dev::shop::${nativeToken("Deployment")}::agent`)
    .setProperties(toStruct(inputs));
  const invoke = new messages.InvokeRequest().setTok(nativeToken("getDeployments")).setArgs(toStruct({}));
  await Promise.all([
    plugin.call("create", create, metadata("create")),
    plugin.call("invoke", invoke, metadata("invoke")),
  ]);
  await trace.flush();
  const { spans } = collector;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const children = (parentId: string) => spans.filter((span) => span.parentId === parentId);
  expect(children(parents.create).map(({ name }) => name)).toEqual(["Deployment create"]);
  expect(children(parents.invoke).map(({ name }) => name)).toEqual(["getDeployments"]);
  const [operation] = children(parents.create);
  expect(children(operation?.id ?? "").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["POST /v2/deployments", "wait for rollout"]),
  );
});

test("A function whose request log cannot be written warns of it through the engine", async () => {
  const platform = await startPlatform();
  const warnings: string[][] = [];
  const plugin = await PluginClient.start(platform.clock, {
    show: (...line) => void warnings.push(line),
    flush: async () => undefined,
  });
  await plugin.configure({ controlPlaneUrl: platform.url, apiKey: "of-the-function", requestLog: "missing/log.jsonl" });
  const invoke = new messages.InvokeRequest().setTok(nativeToken("getDeployments")).setArgs(toStruct({}));
  await plugin.call("invoke", invoke);
  expect(warnings).toEqual([
    ["warn", "", expect.stringMatching(/^requestLog: the request log is not written: .*ENOENT/)],
  ]);
});
