/** Every method of the plugin over gRPC. */
import { status } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { PropertyMap } from "../../provider/schema/schema";
import { dockerDeployment, withImage } from "../support/deployments/inputs";
import { type CallError, fromStruct, PluginClient, toStruct } from "../support/hosts/plugin-client";
import { startPlatform } from "../support/platform";
import { configuredPlugin } from "./support/configured";

const URN = "urn:pulumi:dev::shop::agentgraph:index:Deployment::agent";
const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;

/** Checks a deployment without a name. @returns Its name and its failures. */
async function checkName(olds: PropertyMap, autonaming?: messages.CheckRequest.AutonamingOptions) {
  const plugin = await configuredPlugin(await startPlatform());
  const news = toStruct({ ...dockerDeployment(), name: undefined });
  const request = new messages.CheckRequest().setUrn(URN).setOlds(toStruct(olds)).setNews(news);
  const response = await plugin.call("check", request.setAutonaming(autonaming));
  const { name } = fromStruct(response.getInputs());
  return [name, response.getFailuresList().map((failure) => failure.getReason())];
}

async function diff(plugin: PluginClient, id: string, olds: PropertyMap, news: PropertyMap) {
  const request = new messages.DiffRequest().setId(id).setUrn(URN).setOlds(toStruct(olds)).setNews(toStruct(news));
  return plugin.call("diff", request);
}

describe("The plugin", () => {
  it("reports its version, its schema and that it accepts secrets", async () => {
    const plugin = await PluginClient.start((await startPlatform()).clock);
    const handshake = await plugin.call("handshake", new messages.ProviderHandshakeRequest());
    expect(handshake.getAcceptSecrets()).toBe(true);
    expect(handshake.getSupportsAutonamingConfiguration()).toBe(true);
    expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe("1.2.3");
    const schema = await plugin.call("getSchema", new messages.GetSchemaRequest());
    expect(JSON.parse(schema.getSchema())).toMatchObject({ name: "agentgraph" });
  });

  it("is configured without a request to the server and supports previews", async () => {
    const platform = await startPlatform();
    const plugin = await PluginClient.start(platform.clock);
    const response = await plugin.configure({ controlPlaneUrl: platform.url, apiKey: "k" });
    expect([response.getAcceptsecrets(), response.getSupportspreview()]).toEqual([true, true]);
    expect(response.getSupportsAutonamingConfiguration()).toBe(true);
    expect(platform.requests()).toEqual([]);
  });

  const { Mode } = messages.CheckRequest.AutonamingOptions;
  const autonaming = (mode: number, name = "") =>
    new messages.CheckRequest.AutonamingOptions().setMode(mode).setProposedName(name);

  it.each([
    ["that the engine proposes", Mode.PROPOSE],
    ["that the engine enforces", Mode.ENFORCE],
  ])("gives a deployment without a name the one %s, and an existing one keeps its own", async (_what, mode) => {
    expect(await checkName({}, autonaming(mode, "agent-dev"))).toEqual(["agent-dev", []]);
    expect(await checkName(dockerDeployment({ name: "old" }), autonaming(mode, "agent-dev"))).toEqual(["old", []]);
  });

  it("requires a name where the stack configuration disables default names, except of what exists", async () => {
    const [name, failures] = await checkName({}, autonaming(Mode.DISABLE));
    expect(name).toBeUndefined();
    expect(failures).toContain(
      "name has no default, because the stack configuration pulumi:autonaming disables default names. Set it " +
        "in the program.",
    );
    expect(await checkName(dockerDeployment({ name: "old" }), autonaming(Mode.DISABLE))).toEqual(["old", []]);
  });

  it("names the path of each change, with quotes around keys that need them, and the items of lists", async () => {
    const plugin = await configuredPlugin(await startPlatform());
    const withLabels = (value: string) =>
      dockerDeployment({
        sourceConfig: { resourceSpec: { labels: { "app.kubernetes.io/name": value, 'a"b': value, "x[0]": value } } },
        ...withImage(value),
        verify: [{ http: { path: "/" } }, { http: { path: value } }, ...(value === "2" ? [{ command: "true" }] : [])],
      });
    expect((await diff(plugin, "id", withLabels("1"), withLabels("1"))).getChanges()).toBe(DIFF_NONE);
    const difference = await diff(plugin, "id", withLabels("1"), withLabels("2"));
    expect(difference.getChanges()).toBe(DIFF_SOME);
    expect([difference.getReplacesList(), difference.getDiffsList()]).toEqual([
      ...[[], expect.arrayContaining(["sourceConfig", "sourceRevisionConfig", "verify"])],
    ]);
    const entries = difference.getDetaileddiffMap().getEntryList();
    expect(entries.map(([path]) => path).sort()).toEqual([
      ...['sourceConfig.resourceSpec.labels["a\\"b"]', 'sourceConfig.resourceSpec.labels["app.kubernetes.io/name"]'],
      ...['sourceConfig.resourceSpec.labels["x[0]"]', "sourceRevisionConfig.imageUri"],
      ...["verify[1].http.path", "verify[2]"],
    ]);
  });

  it("names the cause of a replacement, which deletes first because names are unique", async () => {
    const plugin = await configuredPlugin(await startPlatform());
    const difference = await diff(plugin, "id", dockerDeployment(), dockerDeployment({ name: "other" }));
    expect(difference.getReplacesList()).toEqual(["name"]);
    expect(difference.getDeletebeforereplace()).toBe(true);
    expect(difference.getDetaileddiffMap().get("name")?.getKind()).toBe(messages.PropertyDiff.Kind.UPDATE_REPLACE);
  });

  it("answers a function with its result, and a list as an object", async () => {
    const platform = await startPlatform();
    const plugin = await configuredPlugin(platform);
    const invoke = (name: string, args: PropertyMap = {}) =>
      plugin.call("invoke", new messages.InvokeRequest().setTok(`agentgraph:index:${name}`).setArgs(toStruct(args)));
    expect(fromStruct((await invoke("getDeployments")).getReturn())).toEqual({ deployments: [] });
    const error = await invoke("getDeployment", { name: "absent" }).catch((failure: CallError) => failure);
    expect(error).toMatchObject({ details: expect.stringMatching(/^getDeployment: .*"absent"/) });
  });

  it("refuses every call before its configuration", async () => {
    const plugin = await PluginClient.start((await startPlatform()).clock);
    const early = { code: status.INVALID_ARGUMENT, details: "The provider was called before it was configured." };
    const token = "agentgraph:index:getDeployments";
    await expect(plugin.call("check", new messages.CheckRequest().setUrn(URN))).rejects.toMatchObject(early);
    await expect(plugin.call("invoke", new messages.InvokeRequest().setTok(token))).rejects.toMatchObject(early);
    const list = new messages.ListRequest().setToken("agentgraph:index:Thread");
    await expect(plugin.list(list)).rejects.toMatchObject(early);
  });

  it("refuses a component that it does not have, and one without an engine", async () => {
    const plugin = await PluginClient.start((await startPlatform()).clock);
    const construct = (type: string) =>
      plugin.call("construct", new messages.ConstructRequest().setType(type)).catch((failure: CallError) => failure);
    expect(await construct("agentgraph:index:AgentService")).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: "The provider was called before it was configured.",
    });
    await plugin.call("attach", new PluginAttach().setAddress("127.0.0.1:9"));
    expect(await construct("agentgraph:index:Fleet")).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(
        /^The provider agentgraph has no component type "agentgraph:index:Fleet"\. Install the plugin/,
      ),
    });
  });

  it.each<[string, unknown]>([
    ["call", new messages.CallRequest()],
    ["parameterize", new messages.ParameterizeRequest()],
    ["getMapping", new messages.GetMappingRequest()],
    ["getMappings", new messages.GetMappingsRequest()],
  ])("answers the method %s, which it does not have, with UNIMPLEMENTED", async (name, request) => {
    const plugin = await PluginClient.start((await startPlatform()).clock);
    const call = plugin.call(name as "cancel", request as Empty);
    await expect(call).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });
});
