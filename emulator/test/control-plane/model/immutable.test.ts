import { createDeployment, docker, githost, start } from "../../support/emulator";
import { errorsOf } from "../../support/rejections";
import { internalSource } from "../../support/tarballs";

const listener_id = "22222222-2222-4222-8222-222222222222";
const integration_id = "33333333-3333-4333-8333-333333333333";
const onListener = (source_config: object) => docker("agent", { source_config: { listener_id, ...source_config } });

// API `2A`: fields that are immutable on PATCH.
describe("updating a deployment is rejected", () => {
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
      `source_config.${field}: ${field} cannot be changed`,
    ]),
    [
      "its listener",
      docker("agent"),
      { source_config: { listener_id } },
      "source_config.listener_id: listener_id cannot be changed",
    ],
    [
      "its namespace, which is the default of the listener",
      onListener({}),
      { source_config: { listener_config: { k8s_namespace: "default" } } },
      "source_config.listener_config.k8s_namespace: k8s_namespace cannot be changed",
    ],
    [
      "its namespace",
      onListener({ listener_config: { k8s_namespace: "agents" } }),
      { source_config: { listener_config: { k8s_namespace: "default" } } },
      "source_config.listener_config.k8s_namespace: k8s_namespace cannot be changed",
    ],
  ])("with another value of %s", async (_, body, change, error) => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, body);
    expect(await errorsOf(client, "PATCH", `/v2/deployments/${id}`, change)).toEqual([error]);
  });
});

describe("updating a deployment is accepted", () => {
  test.each<[string, object, object]>([
    [
      "a repository",
      githost("agent", { integration_id, deployment_type: "prod" }),
      { integration_id, deployment_type: "prod" },
    ],
    [
      "a listener",
      onListener({ listener_config: { k8s_namespace: "agents" } }),
      { listener_id, listener_config: { k8s_namespace: "agents" } },
    ],
  ])("with the present values of %s", async (_, body, source_config) => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, body);
    expect((await client.patch(`/v2/deployments/${id}`, { source_config })).status).toBe(200);
  });

  test("with any deployment type of an internal source, which ignores it", async () => {
    const client = await start();
    const { id } = await createDeployment(client, internalSource("agent"));
    const { status, body } = await client.patch(`/v2/deployments/${id}`, { source_config: { deployment_type: "dev" } });
    expect(status).toBe(200);
    expect(body.source_config.deployment_type).toBeNull();
  });
});
