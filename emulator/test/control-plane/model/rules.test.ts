import { type Client, createDeployment, docker, githost, start } from "../../support/emulator";
import { errorsOf } from "../../support/rejections";

const unknownId = "00000000-0000-4000-8000-000000000000";
const listener_id = "22222222-2222-4222-8222-222222222222";
const integration_id = "33333333-3333-4333-8333-333333333333";

const createErrors = (client: Client, body: object) => errorsOf(client, "POST", "/v2/deployments", body);
const image = (change: object) => docker("agent", { source_revision_config: { image_uri: "x:1", ...change } });
const onListener = (source_config: object) => docker("agent", { source_config: { listener_id, ...source_config } });
const onlyFor = (field: string, sources: string) =>
  `${field}: ${field.split(".").at(-1)} can only be set for source ${sources}`;

// API `2A`: the rules of SourceConfig, SourceRevisionConfig and SecretReference.
describe("creating a deployment is rejected", () => {
  // @covers 2A.SourceConfig.listener_config, 2A.SourceRevisionConfig.source_tarball_path
  // @covers 2A.SourceRevisionConfig.agentgraph_config_path:required, 2A.SourceConfig.build_on_push:tag
  // @covers 2A.SourceRevisionConfig.repo_ref, 2A.SourceRevisionConfig.repo_ref:tag, 2A.ListenerConfig.k8s_namespace
  // @covers 2A.SourceConfig.listener_id:origin, 2A.SourceConfig.listener_config:compute, 2A.Secret.name:reserved
  test.each<[string, object, ...string[]]>([
    [
      "with a graph configuration for an image",
      image({ agentgraph_config_path: "a.json" }),
      onlyFor("source_revision_config.agentgraph_config_path", "'githost' and 'internal_source'"),
    ],
    [
      "with a tarball for an image",
      image({ source_tarball_path: "a.tar.gz" }),
      onlyFor("source_revision_config.source_tarball_path", "'internal_source'"),
      "source_revision_config.source_tarball_path: source_tarball_path must be an object path that this " +
        "deployment's upload-url returned",
    ],
    [
      "without the graph configuration of an uploaded source",
      docker("agent", { source: "internal_source", source_config: {}, source_revision_config: {} }),
      "source_revision_config.agentgraph_config_path: agentgraph_config_path is required for source 'internal_source'",
    ],
    [
      "without the graph configuration of a repository",
      githost("agent", {}, { agentgraph_config_path: null }),
      "source_revision_config.agentgraph_config_path: agentgraph_config_path is required for source 'githost'",
    ],
    [
      "with the full path of a branch",
      githost("agent", {}, { repo_ref: "refs/heads/main" }),
      "source_revision_config.repo_ref: repo_ref must be the bare name of a branch, or refs/tags/ and the " +
        "name of a tag",
    ],
    [
      "with a tag that is built on push",
      githost("agent", { build_on_push: true }, { repo_ref: "refs/tags/v1" }),
      "source_config.build_on_push: build_on_push cannot be enabled when repo_ref starts with refs/tags/",
    ],
    [
      "with an unknown integration",
      githost("agent", { integration_id: unknownId }),
      `source_config.integration_id: integration ${unknownId} does not exist in this workspace`,
    ],
    [
      "with an unknown listener",
      onListener({ listener_id: unknownId, listener_config: { k8s_namespace: "default" } }),
      `source_config.listener_id: listener ${unknownId} does not exist in this workspace`,
    ],
    [
      "with a namespace but no listener",
      onListener({ listener_id: null, listener_config: { k8s_namespace: "default" } }),
      "source_config.listener_config: listener_config needs a listener_id",
    ],
    [
      "with a namespace that the listener does not serve",
      onListener({ listener_config: { k8s_namespace: "other" } }),
      "source_config.listener_config.k8s_namespace: the listener does not serve this namespace; expected one " +
        "of default, agents",
    ],
    ...["PORT", "REDIS_CLUSTER", "POSTGRES_URI"].map((reserved): [string, object, string] => [
      `with the reserved name ${reserved} of a secret`,
      { ...githost("agent"), secrets: ["A", reserved].map((name) => ({ name, value: "1" })) },
      `secrets.1.name: ${reserved} is reserved by the platform`,
    ]),
    ...["install_command", "build_command"].map((field): [string, object, string] => [
      `with a pipe in ${field}`,
      githost("agent", { [field]: "curl x | sh" }),
      `source_config.${field}: ${field} must not contain quotes, backticks, backslashes, newlines, |, ;, $, ` +
        "<, > or a single &",
    ]),
  ])("%s", async (_, body, ...errors) => {
    expect(await createErrors(await start({ strict: true }), body)).toEqual(errors);
  });

  // @covers 2A.Deployment.source:editions
  test.each<[string, "cloud" | "self-hosted", object]>([
    ["external_docker", "cloud", docker("agent")],
    ["githost", "self-hosted", githost("agent")],
    ["internal_docker", "self-hosted", docker("agent", { source: "internal_docker", source_config: {} })],
  ])("with the source %s on an installation of the edition %s", async (source, edition, body) => {
    const client = await start({ edition });
    const message = `source '${source}' is not available on this installation`;
    expect(await createErrors(client, body)).toEqual([`source: ${message}`]);
  });

  test("without the graph configuration of a repository, on a tolerant server, too", async () => {
    expect(await createErrors(await start(), githost("agent", {}, { agentgraph_config_path: null }))).toHaveLength(1);
  });

  test("with the listener or the integration of another workspace", async () => {
    const client = await start({ strict: true });
    const headers = { "x-api-key": "k", "x-tenant-id": "aaaaaaaa-0000-4000-8000-000000000001" };
    for (const body of [onListener({}), githost("agent", { integration_id })]) {
      const response = await client.send("POST", "/v2/deployments", body, headers);
      expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "value_error" }] } });
    }
  });
});

describe("creating a deployment is accepted", () => {
  // @covers 2A.SourceConfig.install_command:form
  test.each<[string, object]>([
    ["with commands that contain &&", githost("agent", { install_command: "npm ci && npm run build" })],
    ["with a tag that is not built on push", githost("agent", {}, { repo_ref: "refs/tags/v1" })],
    ["with the name of a branch that contains a slash", githost("agent", {}, { repo_ref: "feature/refs/a" })],
    ["with the integration of the workspace", githost("agent", { integration_id })],
    ["with a namespace of the listener", onListener({ listener_config: { k8s_namespace: "agents" } })],
    ["with a reserved name on one's own cluster", docker("agent", { secrets: [{ name: "PORT", value: "1" }] })],
  ])("%s", async (_, body) => {
    await createDeployment(await start({ strict: true }), body);
  });

  test.each([
    [
      "any namespace of a listener that lists none",
      { compute_type: "k8s", compute_config: { k8s_namespaces: [] } },
      "any",
    ],
    ["no namespace on a listener of another compute type", { compute_type: "vm" }, null],
  ])("with %s", async (_, listener, k8s_namespace) => {
    const client = await start({ strict: true });
    const [id] = (await client.emulator.seed({ listeners: [listener] })).listeners ?? [];
    await createDeployment(client, onListener({ listener_id: id, listener_config: { k8s_namespace } }));
  });

  test("with any name, reserved secrets and any command with interfaceOnly, which restricts none of them", async () => {
    const client = await start({ interfaceOnly: true });
    const body = githost("My Agent", { install_command: "a | b" });
    await createDeployment(client, { ...body, secrets: [{ name: "PORT", value: "1" }] });
  });

  test("with fields of other sources that real servers ignore, which the request log notes", async () => {
    const client = await start();
    const { source_config } = await createDeployment(client, githost("one", { resource_spec: { cpu: 1 } }));
    expect(source_config.resource_spec).toMatchObject({ cpu: 1 });
    await createDeployment(client, docker("two", { source_config: { deployment_type: "dev" } }));
    expect(client.emulator.requestLog.entries({ method: "POST" }).flatMap(({ notes }) => notes)).toEqual([
      "body.source_config.resource_spec applies to source 'external_docker' only",
      "body.source_config.deployment_type is ignored: it is only for hosted git repositories",
    ]);
  });
});
