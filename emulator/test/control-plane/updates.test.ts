import { docker, githost, startDeployment, statuses } from "../support/emulator";

describe("an update", () => {
  const image_uri = "registry.example/agent:2";
  // @covers 2A.SourceRevisionConfig.repo_ref:revision, 2A.SourceRevisionConfig.agentgraph_config_path:revision
  // @covers 2A.SourceRevisionConfig.image_uri:revision, 2A.Secret.value:revision, 2A.ResourceSpec:revision, 3.1
  // @covers 3.1:unchanged, 1A.4
  test.each([
    ["image_uri", { source_revision_config: { image_uri } }],
    ["an unchanged image_uri", { source_revision_config: { image_uri: "registry.example/agent:1" } }],
    ["secrets", { secrets: [{ name: "A", value: "2" }] }],
    ["resource_spec", { source_config: { resource_spec: { cpu: 1 } } }],
    ["an empty resource_spec", { source_config: { resource_spec: {} } }],
    ["an empty list of secrets", { secrets: [] }],
    ["several at once", { secrets: [{ name: "A", value: "2" }], source_revision_config: { image_uri } }],
  ])("with %s creates exactly one revision", async (_, change) => {
    const { client, id, latest_revision_id } = await startDeployment({ strict: true });
    const response = await client.patch(`/v2/deployments/${id}`, change);
    expect(response.status).toBe(200);
    expect(response.body.latest_revision_id).not.toBe(latest_revision_id);
    expect(await statuses(client, id)).toHaveLength(2);
  });

  test.each(["repo_ref", "agentgraph_config_path"])("with a changed %s creates exactly one revision", async (field) => {
    const { client, id } = await startDeployment({ strict: true }, githost("agent"));
    await client.patch(`/v2/deployments/${id}`, { source_revision_config: { [field]: "other" } });
    expect(await statuses(client, id)).toHaveLength(2);
  });

  // @covers 3.1:null
  test.each([
    ["nothing", {}],
    ["nulls", { source_config: null, source_revision_config: { image_uri: null }, secrets: null }],
    ["null fields", { source_config: { resource_spec: null, custom_url: null } }],
    ["custom_url", { source_config: { custom_url: "https://agent.example" } }],
    ["commands", { source_config: { install_command: "pnpm install", build_command: "pnpm build" } }],
    ["secret references", { secret_references: [{ name: "A", secret_name: "b", secret_key: "c" }] }],
  ])("with %s creates no revision", async (_, change) => {
    const { client, id } = await startDeployment({ strict: true });
    expect((await client.patch(`/v2/deployments/${id}`, change)).status).toBe(200);
    expect(await statuses(client, id)).toHaveLength(1);
  });

  // @covers 3.1:null, 4A.PATCH:keep
  test("keeps values that are absent or null", async () => {
    const secrets = [{ name: "A", value: "1" }];
    const source_config = { custom_url: "https://agent.example", resource_spec: { cpu: 1 } };
    const { client, ...before } = await startDeployment({ strict: true }, docker("agent", { secrets, source_config }));
    const change = { source_config: { custom_url: null }, secrets: null, source_revision_config: {} };
    const { body } = await client.patch(`/v2/deployments/${before.id}`, change);
    expect(body).toEqual({ ...before, updated_at: expect.any(String) });
  });

  // @covers 4A.PATCH:secrets
  test("with an empty list keeps the secrets and clears their references; another list replaces all", async () => {
    const before = {
      secrets: [{ name: "A", value: "1" }],
      secret_references: [{ name: "B", secret_name: "b", secret_key: "c" }],
    };
    const { client, id } = await startDeployment({ strict: true }, docker("agent", before));
    const path = `/v2/deployments/${id}`;
    const { body } = await client.patch(path, { secrets: [], secret_references: [] });
    expect(body).toMatchObject({ secrets: before.secrets, secret_references: [] });
    const secrets = [{ name: "B", value: "2" }];
    expect((await client.patch(path, { secrets })).body.secrets).toEqual(secrets);
  });

  // API `2A.Secret.value:revision` does not exclude an empty list.
  // @covers 2A.Secret.value:revision
  test("with an empty list removes the secrets with interfaceOnly", async () => {
    const agent = docker("agent", { secrets: [{ name: "A", value: "1" }] });
    const { client, id, latest_revision_id } = await startDeployment({ interfaceOnly: true }, agent);
    const { body } = await client.patch(`/v2/deployments/${id}`, { secrets: [] });
    expect(body.secrets).toEqual([]);
    expect(body.latest_revision_id).not.toBe(latest_revision_id);
  });

  // @covers 2A.ResourceSpec:overwrite
  test("overwrites the resource spec as a whole", async () => {
    const before = { source_config: { resource_spec: { min_scale: 2, cpu: 1 } } };
    const { client, id } = await startDeployment({ strict: true }, docker("agent", before));
    const change = { source_config: { resource_spec: { memory_mb: 512 } } };
    const { body } = await client.patch(`/v2/deployments/${id}`, change);
    expect(body.source_config.resource_spec).not.toHaveProperty("min_scale");
    expect(body.source_config.resource_spec).toMatchObject({ memory_mb: 512 });
  });

  // @covers 2A.ListenerConfig.k8s_namespace:fixed
  test.each([{}, { k8s_namespace: null }])("%j as listener_config keeps the namespace", async (listener_config) => {
    const listener_id = "22222222-2222-4222-8222-222222222222";
    const source_config = { listener_id, listener_config: { k8s_namespace: "agents" } };
    const { client, id } = await startDeployment({ strict: true }, docker("agent", { source_config }));
    const { status, body } = await client.patch(`/v2/deployments/${id}`, { source_config: { listener_config } });
    expect(status).toBe(200);
    expect(body.source_config.listener_config).toEqual({ k8s_namespace: "agents" });
  });
});
