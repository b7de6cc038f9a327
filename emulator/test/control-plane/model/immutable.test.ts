import { docker, githost, startDeployment } from "../../support/emulator";
import { errorsOf } from "../../support/rejections";
import { internalSource } from "../../support/tarballs";

const listener_id = "22222222-2222-4222-8222-222222222222";
const integration_id = "33333333-3333-4333-8333-333333333333";
const onListener = (source_config: object) => docker("agent", { source_config: { listener_id, ...source_config } });
const fixed = (field: string) => `source_config.${field}: ${field.split(".").at(-1)} cannot be changed`;
const inAgents = { listener_config: { k8s_namespace: "agents" } };
const toDefault = { source_config: { listener_config: { k8s_namespace: "default" } } };

// API `2A`: fields that are immutable on PATCH.
// @covers 2A.Deployment.name:fixed, 2A.Deployment.source:fixed, 4A.PATCH:immutable
// @covers 2A.SourceConfig.integration_id:fixed, 2A.SourceConfig.repo_url:fixed, 2A.SourceConfig.deployment_type:fixed
// @covers 2A.SourceConfig.listener_id:fixed, 2A.ListenerConfig.k8s_namespace:fixed
test.each<[string, object, object, string]>([
  ["its name", docker("agent"), { name: "other" }, "name: name cannot be changed"],
  ["its source", docker("agent"), { source: "githost" }, "source: source cannot be changed"],
  ...(
    [
      ["integration_id", integration_id],
      ["repo_url", "https://git.example/b"],
      ["deployment_type", "prod"],
    ] as const
  ).map(([field, value]): [string, object, object, string] => [
    `its ${field}`,
    githost("agent"),
    { source_config: { [field]: value } },
    fixed(field),
  ]),
  ["its listener", docker("agent"), { source_config: { listener_id } }, fixed("listener_id")],
  ["its namespace, the default of the listener", onListener({}), toDefault, fixed("listener_config.k8s_namespace")],
  ["its namespace", onListener(inAgents), toDefault, fixed("listener_config.k8s_namespace")],
])("updating a deployment is rejected with another value of %s", async (_, body, change, error) => {
  const { client, id } = await startDeployment({ strict: true }, body);
  expect(await errorsOf(client, "PATCH", `/v2/deployments/${id}`, change)).toEqual([error]);
});

describe("updating a deployment is accepted", () => {
  const repository = { integration_id, deployment_type: "prod" };
  const listener = { listener_id, listener_config: { k8s_namespace: "agents" } };
  test.each<[string, object, object]>([
    ["an image", docker("agent"), { name: "agent", source: "external_docker" }],
    ["a repository", githost("agent", repository), { source_config: repository }],
    ["a listener", onListener(listener), { source_config: listener }],
  ])("with the present values of %s", async (_, body, change) => {
    const { client, id } = await startDeployment({ strict: true }, body);
    expect((await client.patch(`/v2/deployments/${id}`, change)).status).toBe(200);
  });

  test("with any deployment type of an internal source, which ignores it", async () => {
    const { client, id } = await startDeployment({}, internalSource("agent"));
    const { status, body } = await client.patch(`/v2/deployments/${id}`, { source_config: { deployment_type: "dev" } });
    expect(status).toBe(200);
    expect(body.source_config.deployment_type).toBeNull();
  });
});
