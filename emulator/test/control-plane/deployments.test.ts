import { createDeployment, docker, rolloutMs, start, startDeployment, statuses } from "../support/emulator";
import { expectError } from "../support/rejections";

const unsetSourceConfig = {
  ...{ integration_id: null, repo_url: null, deployment_type: null, build_on_push: null, custom_url: null },
  ...{ resource_spec: {}, listener_id: null, listener_config: null, install_command: null, build_command: null },
};

describe("a deployment", () => {
  // @covers 1A:create, 1A.1, 2A.Deployment.source_config, 2A.Deployment.source_revision_config, 2A.Deployment.secrets
  // @covers 2A.Deployment.secret_references, 2A.Deployment.id, 2A.Deployment.tenant_id, 2A.Deployment.created_at
  // @covers 2A.Deployment.updated_at, 2A.Deployment.latest_revision_id, 2A.Deployment.active_revision_id
  // @covers 2A.Deployment.is_managed_deep_agent, 2A.Deployment.image_version, 2A.SourceConfig
  // @covers 2A.SourceRevisionConfig
  test("is returned with every field of the interface, which is null if unset", async () => {
    const client = await start({ strict: true });
    const now = client.emulator.clock.read().now;
    const body = await createDeployment(client, docker("agent"));
    expect(body).toEqual({
      name: "agent",
      source: "external_docker",
      source_config: unsetSourceConfig,
      source_revision_config: {
        ...{ repo_ref: null, agentgraph_config_path: null, image_uri: "registry.example/agent:1" },
        ...{ source_tarball_path: null, repo_commit_sha: null },
      },
      secrets: [],
      secret_references: null,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tenant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: now,
      updated_at: now,
      status: "AWAITING_DATABASE",
      latest_revision_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      active_revision_id: null,
      image_version: null,
      is_managed_deep_agent: false,
    });
  });

  // @covers 2A.Deployment.active_revision_id, 2A.Deployment.status, 3.Deployment status:order
  test("is READY after about three seconds, and its revision is active from then on", async () => {
    const { client, id, latest_revision_id } = await startDeployment();
    await client.advance(2000);
    expect((await client.get(`/v2/deployments/${id}`)).body.active_revision_id).toBeNull();
    await client.advance(1500);
    const { body } = await client.get(`/v2/deployments/${id}`);
    expect(body).toMatchObject({ status: "READY", active_revision_id: latest_revision_id });
    expect(await statuses(client, id)).toEqual(["DEPLOYED"]);
  });

  // @covers 2A.SourceConfig.custom_url
  test("keeps the custom_url of the request", async () => {
    const custom_url = "https://agent.example";
    const { client, id } = await startDeployment({}, docker("agent", { source_config: { custom_url } }), rolloutMs);
    expect((await client.get(`/v2/deployments/${id}`)).body.source_config.custom_url).toBe(custom_url);
  });

  // @covers 7.409
  test("cannot be created with a name that exists in the workspace", async () => {
    const client = await start();
    await createDeployment(client, docker("agent"));
    const response = await client.post("/v2/deployments", docker("agent"));
    expectError(response, 409, "A deployment with the name 'agent' already exists");
    const other = { "x-api-key": "k", "x-tenant-id": "aaaaaaaa-0000-4000-8000-000000000001" };
    expect((await client.send("POST", "/v2/deployments", docker("agent"), other)).status).toBe(201);
  });

  // @covers 2A.Deployment.secrets:returned
  test("returns secrets in plain text, in no guaranteed order", async () => {
    const secrets = ["ZEBRA=z", "APE=a", "FOX=f", "APE=b"].map((text) => {
      const [name, value] = text.split("=");
      return { name, value };
    });
    const { client, id } = await startDeployment({}, docker("agent", { secrets }));
    const { body } = await client.get(`/v2/deployments/${id}`);
    // Another order than in the request, so that clients do not rely on it; the last of two values counts.
    expect(body.secrets.map(({ name, value }) => `${name}=${value}`)).toEqual(["APE=b", "FOX=f", "ZEBRA=z"]);
  });

  // @covers 7.404, 7:detail
  test("with an unknown ID returns 404 with another detail than an unknown route", async () => {
    const client = await start();
    const id = "00000000-0000-4000-8000-000000000000";
    expectError(await client.get(`/v2/deployments/${id}`), 404, `Deployment ${id} not found`);
    expect(await client.get("/v2/nothing")).toMatchObject({ status: 404, body: { detail: "Not Found" } });
  });
});

describe("deletion", () => {
  // @covers 3.Deployment status:order, 4A.DELETE /v2/deployments/{deployment_id}
  test.each([
    [{}, "AWAITING_FINAL_DELETE"],
    [{ strict: true }, undefined],
  ])("is asynchronous with %j: 204, AWAITING_DELETE, then %s, then 404", async (options, last) => {
    const { client, id } = await startDeployment(options);
    const path = `/v2/deployments/${id}`;
    expect(await client.remove(path)).toMatchObject({ status: 204, body: "" });
    expect((await client.get(path)).body.status).toBe("AWAITING_DELETE");
    await client.advance(1000);
    if (last) expect((await client.get(path)).body.status).toBe(last);
    if (last) await client.advance(1000);
    expect((await client.get(path)).status).toBe(404);
  });

  // @covers 4A.DELETE /v2/deployments/{deployment_id}
  test("keeps the name reserved until it is complete", async () => {
    const { client, id } = await startDeployment();
    await client.remove(`/v2/deployments/${id}`);
    expect((await client.post("/v2/deployments", docker("agent"))).status).toBe(409);
    await client.advance(rolloutMs);
    expect((await client.post("/v2/deployments", docker("agent"))).status).toBe(201);
  });

  test("may be requested twice, but other updates are rejected meanwhile", async () => {
    const { client, id, latest_revision_id: revision } = await startDeployment();
    const path = `/v2/deployments/${id}`;
    await client.remove(path);
    expect((await client.remove(path)).status).toBe(204);
    const rejection = { status: 409, body: { detail: `Deployment ${id} is being deleted` } };
    const change = { source_revision_config: { image_uri: "x:2" } };
    expect(await client.patch(path, change)).toMatchObject(rejection);
    expect(await client.post(`${path}/revisions`, change)).toMatchObject(rejection);
    expect(await client.post(`${path}/revisions/${revision}/redeploy`)).toMatchObject(rejection);
    await client.advance(1000);
    expect(await client.patch(path, change)).toMatchObject(rejection);
    await client.advance(rolloutMs);
    expect((await client.remove(path)).status).toBe(404);
  });

  test("stops a rollout in progress", async () => {
    const { client, id } = await startDeployment();
    await client.remove(`/v2/deployments/${id}`);
    expect(await statuses(client, id)).toEqual(["INTERRUPTED"]);
  });
});

// @covers 2A.Deployment.image_version
test("the image version can be set on POST and PATCH, without a revision", async () => {
  const { client, id, latest_revision_id } = await startDeployment(
    { strict: true },
    docker("agent", { image_version: "0.4.1" }),
  );
  expect((await client.get("/v2/deployments?image_version=0.4.1")).body.resources).toHaveLength(1);
  const { body } = await client.patch(`/v2/deployments/${id}`, { image_version: "0.5.0" });
  expect(body).toMatchObject({ image_version: "0.5.0", latest_revision_id });
  const unchanged = (await client.patch(`/v2/deployments/${id}`, { image_version: null })).body;
  expect(unchanged).toMatchObject({ image_version: "0.5.0" });
});
