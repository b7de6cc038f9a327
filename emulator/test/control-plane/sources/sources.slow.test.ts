import { createDeployment, docker, githost, start, startDeployment } from "../../support/emulator";
import { expectError } from "../../support/rejections";

const unknownId = "00000000-0000-4000-8000-000000000000";
const listener_id = "22222222-2222-4222-8222-222222222222";
const integration_id = "33333333-3333-4333-8333-333333333333";

const bodies: Record<string, Record<string, unknown>> = {
  githost: githost("agent"),
  external_docker: docker("agent"),
  internal_docker: docker("agent", { source: "internal_docker", source_config: {} }),
  internal_source: {
    ...docker("agent", { source: "internal_source", source_config: {} }),
    source_revision_config: { agentgraph_config_path: "agentgraph.json" },
  },
  internal_template: docker("agent", { source: "internal_template", source_config: {}, source_revision_config: {} }),
};
const sources = Object.keys(bodies);

type Group = "source_config" | "source_revision_config";

/** API `2A`: the sources that each field applies to. */
const fields: [Group, string, unknown, string[]][] = [
  ["source_config", "integration_id", integration_id, ["githost"]],
  ["source_config", "repo_url", "https://git.example/x", ["githost"]],
  ["source_config", "deployment_type", "prod", ["githost"]],
  ["source_config", "build_on_push", false, ["githost"]],
  ["source_config", "custom_url", "https://agent.example", ["external_docker"]],
  ["source_config", "listener_id", listener_id, ["external_docker"]],
  ["source_config", "listener_config", {}, ["external_docker"]],
  ["source_config", "resource_spec", {}, ["external_docker"]],
  ["source_revision_config", "repo_ref", "main", ["githost"]],
  ["source_revision_config", "agentgraph_config_path", "a.json", ["githost", "internal_source"]],
  ["source_revision_config", "image_uri", "x:1", ["external_docker", "internal_docker"]],
];

describe.each(sources)("source %s", (source) => {
  // @covers 2A.SourceConfig.integration_id, 2A.SourceConfig.repo_url, 2A.SourceConfig.build_on_push
  // @covers 2A.SourceConfig.custom_url, 2A.SourceConfig.listener_id, 2A.SourceRevisionConfig.repo_ref
  // @covers 2A.SourceRevisionConfig.agentgraph_config_path:others, 2A.SourceRevisionConfig.image_uri
  test.each(fields)("accepts %s.%s only if the field applies to it", async (group, field, value, allowed) => {
    const client = await start({ strict: true });
    const body = bodies[source] ?? {};
    const change = { [group]: { ...(body[group] as object), [field]: value } };
    const detail = [{ type: "value_error", loc: ["body", group, field] }];
    const expected = allowed.includes(source) ? { status: 201 } : { status: 422, body: { detail } };
    expect(await client.post("/v2/deployments", { ...body, ...change })).toMatchObject(expected);
  });

  // @covers 2A.Deployment.source, 2A.Deployment.secret_references:source
  test("can be created, with secret references only if it is external_docker", async () => {
    const client = await start({ strict: true });
    await createDeployment(client, { ...bodies[source], name: "one" });
    const secret_references = [{ name: "A", secret_name: "b", secret_key: "c" }];
    const response = await client.post("/v2/deployments", { ...bodies[source], secret_references });
    expect(response.status).toBe(source === "external_docker" ? 201 : 422);
  });
});

test("a graph configuration of internal_source may be sent with the tarball, which the request log notes", async () => {
  const client = await start();
  const body = { ...bodies.internal_source, source_revision_config: {} };
  expect((await createDeployment(client, body)).latest_revision_id).toBeNull();
  const [{ notes } = { notes: [] }] = client.emulator.requestLog.entries({ method: "POST" });
  expect(notes).toEqual(["source 'internal_source' is created without agentgraph_config_path, as real servers allow"]);
});

describe("a git reference", () => {
  // @covers 2A.SourceConfig.build_on_push:tag
  test("cannot become a tag while build_on_push is true", async () => {
    const { client, id } = await startDeployment({ strict: true }, githost("agent", { build_on_push: true }));
    const change = { source_revision_config: { repo_ref: "refs/tags/v1" } };
    expect((await client.patch(`/v2/deployments/${id}`, change)).status).toBe(422);
    const bothChanges = { ...change, source_config: { build_on_push: false } };
    expect((await client.patch(`/v2/deployments/${id}`, bothChanges)).status).toBe(200);
  });

  // @covers 4A.POST:defaults
  test("does not change the defaults of deployment_type and build_on_push", async () => {
    const { source_config } = await startDeployment({ strict: true }, githost("agent"));
    expect(source_config).toMatchObject({ deployment_type: "dev", build_on_push: false });
  });
});

describe("listeners", () => {
  // @covers 2A.SourceConfig.listener_id:origin, 4A.GET /v2/listeners, 2A.Listener, 4A.GET /v2/listeners/{listener_id}
  test("can be listed and read", async () => {
    const client = await start({ strict: true });
    const { body } = await client.get("/v2/listeners");
    expect(body.resources).toEqual([
      {
        id: listener_id,
        compute_type: "k8s",
        compute_id: "local-cluster",
        compute_config: { k8s_namespaces: ["default", "agents"] },
      },
    ]);
    expect((await client.get(`/v2/listeners/${listener_id}`)).body).toEqual(body.resources[0]);
    expectError(await client.get(`/v2/listeners/${unknownId}`), 404, `Listener ${unknownId} not found`);
  });

  test("are returned by page in the order of creation, and only those of the workspace", async () => {
    const client = await start({ strict: true });
    const { listeners } = await client.emulator.seed({ listeners: [{}, {}] });
    const page = async (query: string) => {
      const { resources, offset } = (await client.get(`/v2/listeners?${query}`)).body;
      return { ids: resources.map(({ id }) => id), offset };
    };
    expect(await page("limit=2")).toEqual({ ids: [listener_id, listeners?.[0]], offset: 2 });
    expect(await page("limit=2&offset=2")).toEqual({ ids: [listeners?.[1]], offset: 3 });
    const other = { "x-api-key": "k", "x-tenant-id": "aaaaaaaa-0000-4000-8000-000000000001" };
    expect((await client.send("GET", "/v2/listeners", undefined, other)).body.resources).toEqual([]);
    expect((await client.send("GET", `/v2/listeners/${listener_id}`, undefined, other)).status).toBe(404);
  });

  test("that are deleted do not block other updates", async () => {
    const { client, id } = await startDeployment({ strict: true }, docker("agent", { source_config: { listener_id } }));
    await client.admin("DELETE", `/listeners/${listener_id}`);
    expect((await client.patch(`/v2/deployments/${id}`, { secret_references: [] })).status).toBe(200);
  });

  // @covers 2A.SourceConfig.listener_config:compute, 2A.ListenerConfig.k8s_namespace:compute
  test("of another compute type have no namespaces", async () => {
    const client = await start({ strict: true });
    const [id] = (await client.emulator.seed({ listeners: [{ compute_type: "vm" }] })).listeners ?? [];
    const source_config = { listener_id: id, listener_config: { k8s_namespace: "default" } };
    const response = await client.post("/v2/deployments", docker("agent", { source_config }));
    expect(response.body.detail[0]?.msg).toContain("compute type 'k8s'");
  });
});

// @covers 2A.SourceConfig.integration_id:origin, 4A.GET /v1/integrations/githost/install, 2A.Repository
// @covers 4A.GET /v1/integrations/githost/{integration_id}/repos
test("integrations are a plain array", async () => {
  const client = await start({ strict: true });
  expect((await client.get("/v1/integrations/githost/install")).body).toEqual([
    { id: integration_id, installation_id: 1, name: "local" },
  ]);
});

// @covers 2A.Deployment.latest_revision_id
test("an image of internal_docker may be set later and then creates the first revision", async () => {
  const empty = { ...bodies.internal_docker, source_revision_config: {} };
  const { client, id, latest_revision_id } = await startDeployment({ strict: true }, empty);
  expect(latest_revision_id).toBeNull();
  const { body } = await client.patch(`/v2/deployments/${id}`, { source_revision_config: { image_uri: "x:1" } });
  expect(body.latest_revision_id).toEqual(expect.any(String));
});
