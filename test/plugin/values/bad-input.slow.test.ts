/** Bad requests: each gets an error that says what is wrong, and the plugin keeps running. */
import { status } from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import fc from "fast-check";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { definitions } from "../../../provider/definitions";
import type { PropertyMap } from "../../../provider/schema/schema";
import { dockerDeployment } from "../../support/deployments/inputs";
import { type CallError, fromStruct, type Methods, PluginClient, toStruct } from "../../support/hosts/plugin-client";
import { runs } from "../../support/run/runs";
import { TestClock } from "../../support/time/clock";

const urnOf = (kind: string) => `urn:pulumi:dev::shop::agentgraph:index:${kind}::agent`;
const SETTINGS = {
  ...{ controlPlaneUrl: "http://127.0.0.1:1", tracingApiUrl: "http://127.0.0.1:1", apiKey: "bad-input" },
  tenantId: "11111111-1111-4111-8111-111111111111",
};

async function configuredPlugin(): Promise<PluginClient> {
  const plugin = await PluginClient.start(new TestClock());
  await plugin.configure(SETTINGS);
  return plugin;
}

async function failureOf<Name extends keyof Methods>(plugin: PluginClient, name: Name, request: Methods[Name][0]) {
  const outcome = await plugin.call(name, request).catch((error: CallError) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe("1.2.3");
  return outcome as CallError;
}

const check = (plugin: PluginClient, kind: string, news: Struct) =>
  plugin.call("check", new messages.CheckRequest().setUrn(urnOf(kind)).setNews(news));

test.each([
  ["of an unknown resource type", "urn:pulumi:dev::shop::agentgraph:index:Agent::a", '"agentgraph:index:Agent"'],
  ["of another package", "urn:pulumi:dev::shop::aws:s3:Bucket::a", '"aws:s3:Bucket"'],
  ["of a property of every object", "urn:pulumi:dev::shop::agentgraph:index:constructor::a", "constructor"],
  ["that is not a URN", "Deployment", "no resource type"],
  ["that is empty", "", "no resource type"],
])("A request with a URN %s fails with the type", async (_what, urn, expected) => {
  const plugin = await configuredPlugin();
  for (const [name, request] of [
    ["check", new messages.CheckRequest().setUrn(urn)],
    ["diff", new messages.DiffRequest().setUrn(urn)],
    ["create", new messages.CreateRequest().setUrn(urn)],
    ["read", new messages.ReadRequest().setUrn(urn)],
    ["update", new messages.UpdateRequest().setUrn(urn)],
    ["delete", new messages.DeleteRequest().setUrn(urn)],
  ] as const) {
    const { details } = await failureOf(plugin, name, request as never);
    expect(details).toContain("The provider agentgraph has");
    expect(details).toContain(expected);
  }
});

test.each(["getAgents", "constructor", ""])("A call of the function %j, which does not exist, fails", async (name) => {
  const plugin = await configuredPlugin();
  const request = new messages.InvokeRequest().setTok(`agentgraph:index:${name}`);
  expect((await failureOf(plugin, "invoke", request)).details).toContain(
    `The provider agentgraph has no function "agentgraph:index:${name}". Install the plugin`,
  );
});

test.each(definitions.map(({ kind }) => kind))("Empty requests about a %s get an answer", async (kind) => {
  const plugin = await configuredPlugin();
  const urn = urnOf(kind);
  const checked = await plugin.call("check", new messages.CheckRequest().setUrn(urn));
  expect(checked.getFailuresList().length).toBeGreaterThan(0);
  await plugin.call("diff", new messages.DiffRequest().setUrn(urn)).catch(expectMessage(kind));
  await plugin.call("read", new messages.ReadRequest().setUrn(urn)).catch(expectMessage(kind));
  await plugin.call("create", new messages.CreateRequest().setUrn(urn)).catch(expectMessage(kind));
  await plugin.call("update", new messages.UpdateRequest().setUrn(urn)).catch(expectMessage(kind));
  await plugin.call("delete", new messages.DeleteRequest().setUrn(urn)).catch(expectMessage(kind));
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe("1.2.3");
});

const expectMessage = (kind: string) => (error: CallError) => {
  expect(error.details).toContain(`${kind} "agent"`);
  expect(error.details).not.toMatch(/Cannot read properties|is not a function|is not iterable|undefined/);
};

const anyValue = fc.jsonValue({ maxDepth: 3 });

test.each(definitions.map(({ kind }) => kind))(
  "A check of a %s with values of any type returns failures, never an error",
  async (kind) => {
    const plugin = await configuredPlugin();
    const definition = definitions.find((one) => one.kind === kind);
    const fields = [...new Set(Object.keys(fieldsOf(definition)))];
    const inputs = fc.dictionary(fc.constantFrom(...fields, "__foo", "constructor", "a.b"), anyValue, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(inputs, async (news) => {
        expect((await check(plugin, kind, toStruct(news as PropertyMap))).getInputs()).toBeDefined();
      }),
      runs(60),
    );
  },
);

function fieldsOf(definition: unknown): Record<string, unknown> {
  const { schema } = definition as { schema: { inputs: { shape?: object; options?: { shape: object }[] } } };
  const { shape, options = [] } = schema.inputs;
  return Object.assign({}, shape, ...options.map((option) => option.shape));
}

test.each(["__foo", "__secretInputs", "__import", "__provider", "__external"])(
  "The input %s, which is reserved, is rejected",
  async (key) => {
    const plugin = await configuredPlugin();
    const response = await check(plugin, "Deployment", toStruct({ ...dockerDeployment(), [key]: true }));
    expect(response.getFailuresList().map((one) => one.getReason())).toEqual([`${key} is not a known field.`]);
  },
);

/** Returns the bytes of a check of a thread, with the key `__proto__` where the metadata have a key PROTO_KEY. */
function checkWithProto(metadata: PropertyMap): Buffer {
  const inputs = { deploymentUrl: "https://agents.example", metadata: { graph_id: "echo", ...metadata } };
  const request = new messages.CheckRequest().setUrn(urnOf("Thread")).setNews(toStruct(inputs));
  const bytes = Buffer.from(request.serializeBinary()).toString("latin1");
  return Buffer.from(bytes.replaceAll("PROTO_KEY", "__proto__"), "latin1");
}

test.each([
  ["in metadata", { PROTO_KEY: "x" }, ["metadata.__proto__"]],
  ["at any depth", { deep: { list: [{ PROTO_KEY: "x" }] } }, ["metadata.deep.list.0.__proto__"]],
  ["beside a text like it", { PROTO_KEY: "\n\t__proto__", text: "\n\t__proto__" }, ["metadata.__proto__"]],
  ["twice", { PROTO_KEY: 1, deep: { PROTO_KEY: 2 } }, ["metadata.__proto__", "metadata.deep.__proto__"]],
])("The key __proto__ is rejected %s", async (_where, metadata, paths) => {
  const plugin = await configuredPlugin();
  const response = await plugin.callRaw("check", checkWithProto(metadata));
  expect(response.getFailuresList().map((one: messages.CheckFailure) => one.getReason())).toEqual(
    paths.map((path) => `${path} is not supported, because Pulumi drops keys of this name.`),
  );
});

test("Keys and texts that only resemble __proto__ stay as they are", async () => {
  const plugin = await configuredPlugin();
  const texts = [
    ...["\0_proto__", "__proto___", "__proto____", "__proto__.a", "___proto__", "\n\t__proto__", "\n\t\0_proto__"],
  ];
  const metadata = { graph_id: "echo", ...Object.fromEntries(texts.map((text) => [text, [text]])) };
  const response = await check(plugin, "Thread", toStruct({ deploymentUrl: "https://agents.example", metadata }));
  expect(response.getFailuresList()).toEqual([]);
  expect(fromStruct(response.getInputs()).metadata).toEqual(metadata);
});

/** A check of `news`, whose field has the number 3. */
test.each([
  ["of a struct", [0x1a, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x01]],
  ["of a struct, just too long", [0x1a, 0x02, 0x0a]],
  ["of a text", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x61]],
  ["of a key", [0x1a, 0x06, 0x0a, 0x04, 0x0a, 0xff, 0xff, 0x7f]],
  ["of a value", [0x1a, 0x07, 0x0a, 0x05, 0x0a, 0x01, 0x61, 0x12, 0x7f]],
  ["of a text in a value", [0x1a, 0x0b, 0x0a, 0x09, 0x0a, 0x01, 0x61, 0x12, 0x04, 0x1a, 0xff, 0xff, 0x7f]],
  ["that does not end", [0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
])("A false length %s fails the request, and the plugin keeps running", async (_what, bytes) => {
  const plugin = await configuredPlugin();
  const error = await plugin.callRaw("check", Buffer.from(bytes)).catch((thrown: CallError) => thrown);
  expect(error).toMatchObject({ code: status.INTERNAL, details: "Error deserializing request" });
  expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe("1.2.3");
});
