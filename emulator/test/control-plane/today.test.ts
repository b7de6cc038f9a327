/** `platform: "today"`: what published clients and pages report (docs/platform-api/, certainty "reported"). */
import { createDeployment, docker, githost, rolloutMs, start, startDeployment, statuses } from "../support/emulator";
import { internalSource, putTarball, tarball } from "../support/tarballs";

const today = { strict: true, platform: "today" } as const;
const repository = (name: string, config = {}) =>
  githost(name, { deployment_type: "dev", build_on_push: false, ...config });
const internal = (name: string, deployment_type = "dev") => ({
  ...{ name, source: "internal_docker", source_config: { deployment_type }, source_revision_config: {} },
  secrets: [{ name: "A", value: "1" }],
});
const image = (config: object) => docker("agent", { source_config: { resource_spec: {}, ...config } });
const agent = { agent_id: "checkout", environment: "production" };

describe("a create", () => {
  test.each([
    ["no type of a cloud source", { ...internal("agent"), source_config: {} }, "deployment_type must be supplied"],
    ["no build_on_push", githost("agent", { deployment_type: "dev" }), "build_on_push must be supplied"],
    ["a type of an external image", image({ deployment_type: "prod" }), "deployment_type"],
    ["no resources of an external image", docker("agent", { source_config: {} }), "resource_spec must be supplied"],
    ["no template", { ...internal("agent"), source: "internal_template" }, "template_id must be supplied"],
    ["a display name", { ...docker("agent"), display_name: "Agent" }, "display_name"],
    ["a name and an agent", { ...docker("agent"), agent }, "Exactly one of name and agent"],
    ["commands for an image", image({ install_command: "npm ci" }), "Docker sources"],
  ])("with %s is rejected", async (_, body, detail) => {
    const response = await (await start(today)).post("/v2/deployments", body);
    expect(response).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } });
  });

  // @covers 2A.SourceConfig.deployment_type:sources, 2A.SourceConfig.deployment_type:free
  test("assigns the one free slot of the workspace, which the count shows", async () => {
    const client = await start(today);
    const free = await createDeployment(client, internal("one"));
    expect(free.source_config.deployment_type).toBe("dev_free");
    const paid = await createDeployment(client, internal("two", "dev_zero"));
    expect(paid.source_config.deployment_type).toBe("dev_zero");
    expect(await client.get("/v2/deployments/free-count")).toMatchObject({ status: 200, body: { count: 1 } });
    const { body } = await client.get("/v2/deployments?deployment_type=dev_free");
    expect(body.resources.map(({ id }) => id)).toEqual([free.id]);
  });

  // @covers 2A.Deployment.agent, 2A.Deployment.name:null, 4A.GET /v2/deployments.agent_id
  test("for an agent has no name, and one deployment in each environment", async () => {
    const { name: _, ...body } = internal("none");
    const { client, ...created } = await startDeployment(today, { ...body, agent });
    expect(created).toMatchObject({ name: null, agent, tracer_session_id: expect.any(String) });
    const detail = "A deployment already exists for this agent environment.";
    expect(await client.post("/v2/deployments", { ...body, agent })).toMatchObject({ status: 409, body: { detail } });
    const staging = { agent: { ...agent, environment: "staging" }, source_revision_config: null };
    await createDeployment(client, { ...body, ...staging });
    const found = await client.get("/v2/deployments?agent_id=checkout&agent_environment=production");
    expect(found.body.resources.map(({ id }) => id)).toEqual([created.id]);
  });

  // @covers 2A.Deployment.secrets:hidden
  test("hides the secrets of an internal source until its first revision", async () => {
    const client = await start(today);
    const created = await createDeployment(client, internal("agent"));
    expect(created).toMatchObject({ secrets: [], source_revision_config: null });
    const image = { source_revision_config: { image_uri: "registry.example/agent:1" } };
    expect((await client.patch(`/v2/deployments/${created.id}`, image)).body).toMatchObject({
      secrets: [{ name: "A", value: "1" }],
      ...image,
    });
  });

  // @covers 2A.SourceConfig.custom_url:image, 2A.Deployment.url
  test("shows the URL of an external image in a field of the deployment alone", async () => {
    const client = await start(today);
    const ids = [];
    for (const body of [docker("image"), repository("repository")]) ids.push((await createDeployment(client, body)).id);
    await client.advance(rolloutMs);
    const [image, cloud] = await Promise.all(ids.map(async (id) => (await client.get(`/v2/deployments/${id}`)).body));
    expect(image).toMatchObject({
      url: expect.stringContaining(ids[0] ?? ""),
      source_config: { custom_url: null, deployment_type: "prod", build_on_push: false },
    });
    expect(cloud).toMatchObject({ source_config: { custom_url: expect.stringContaining(ids[1] ?? "") } });
  });

  // @covers 2A.SourceConfig.repo_branch, 2A.SourceRevisionConfig.repo_ref:commit
  test("shows the branch of a repository, and the commit in place of its reference", async () => {
    const { source_config, source_revision_config } = await startDeployment(today, repository("agent"));
    expect(source_config.repo_branch).toBe("main");
    expect(source_revision_config.repo_ref).toMatch(/^[0-9a-f]{40}$/);
  });

  // @covers 2A.ResourceSpec:cloud, 2A.ResourceSpec.min_scale:dedicated
  test("of a dedicated deployment runs two replicas at least", async () => {
    const source_config = { deployment_type: "prod", resource_spec: { min_scale: 1, max_scale: 1 } };
    const { client, ...created } = await startDeployment(today, { ...internal("agent"), source_config });
    expect(created.source_config.resource_spec).toMatchObject({ min_scale: 2, max_scale: 2 });
  });
});

describe("an update", () => {
  // @covers 2A.SourceConfig.repo_url:moved
  test("moves a repository in place, without a revision, unless the integration cannot read it", async () => {
    const { client, id } = await startDeployment(today, repository("agent"));
    const repo_url = "https://git.example/team/moved";
    const moved = await client.patch(`/v2/deployments/${id}`, { source_config: { repo_url } });
    expect(moved).toMatchObject({ status: 200, body: { source_config: { repo_url } } });
    expect(await statuses(client, id)).toHaveLength(1);
    const type = await client.patch(`/v2/deployments/${id}`, { source_config: { deployment_type: "prod" } });
    expect(type.status).toBe(422);
  });

  // @covers 2A.SourceConfig.install_command:revision, 4A.PATCH:secrets, 2A.Deployment.secret_references:revision
  test("of a command or a reference creates a revision, and an empty list of secrets none", async () => {
    const { client, id } = await startDeployment(today, repository("agent"));
    await client.patch(`/v2/deployments/${id}`, { source_config: { build_command: "npm run build" } });
    expect(await statuses(client, id)).toHaveLength(2);
    await client.patch(`/v2/deployments/${id}`, { secrets: [] });
    expect(await statuses(client, id)).toHaveLength(2);
    const { id: image } = await createDeployment(client, docker("image"));
    await client.patch(`/v2/deployments/${image}`, { secret_references: [] });
    expect(await statuses(client, image)).toHaveLength(2);
  });

  // @covers 2A.Deployment.display_name, 2A.Deployment.further
  test("sets the display name and the fields that the platform stores", async () => {
    const { client, id } = await startDeployment(today, { ...docker("agent"), tracked_packages: ["a:1"] });
    const response = await client.patch(`/v2/deployments/${id}`, { display_name: "Agent", shareable: true });
    expect(response.body).toMatchObject({ display_name: "Agent", shareable: true, tracked_packages: ["a:1"] });
    expect((await client.patch(`/v2/deployments/${id}`, { display_name: "" })).status).toBe(422);
  });
});

describe("a deletion", () => {
  const hour = 3_600_000;

  // @covers 4A.DELETE:grace
  test("shows the deployment for a week, and keeps its name reserved", async () => {
    const { client, id } = await startDeployment(today);
    expect((await client.remove(`/v2/deployments/${id}`)).status).toBe(204);
    const status = async () => (await client.get(`/v2/deployments/${id}`)).body.status;
    expect(await status()).toBe("AWAITING_DELETE");
    await client.advance(hour);
    expect(await status()).toBe("AWAITING_FINAL_DELETE");
    expect((await client.post("/v2/deployments", docker("agent"))).status).toBe(409);
    await client.advance(7 * 24 * hour - hour);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
    await createDeployment(client, docker("agent"));
  });

  // @covers 4A.DELETE:force, 4A.DELETE:project
  test("by force follows another one, and frees no name; the tracing project is deleted on request", async () => {
    const { client, id } = await startDeployment(today);
    expect((await client.remove(`/v2/deployments/${id}?force=true`)).status).toBe(400);
    await client.remove(`/v2/deployments/${id}?delete_tracing_project=true`);
    expect((await client.get(`/v2/deployments/${id}`)).body).toMatchObject({ tracer_session_id: null });
    expect((await client.remove(`/v2/deployments/${id}?force=true`)).status).toBe(204);
    expect((await client.get(`/v2/deployments/${id}`)).status).toBe(404);
    expect((await client.post("/v2/deployments", docker("agent"))).status).toBe(409);
  });
});

// @covers 4A.redeploy:environment
test("a redeploy restores the environment of its revision", async () => {
  const client = await start(today);
  const first = await createDeployment(client, docker("agent", { secrets: [{ name: "A", value: "1" }] }), rolloutMs);
  await client.patch(`/v2/deployments/${first.id}`, { secrets: [{ name: "A", value: "2" }] });
  await client.advance(rolloutMs);
  const path = `/v2/deployments/${first.id}/revisions/${first.latest_revision_id}/redeploy`;
  expect((await client.post(path)).body.secrets).toEqual([{ name: "A", value: "1" }]);
});

// @covers 4A.upload:range
test("an upload requires the range of its size, which the server does not return", async () => {
  const { client, id } = await startDeployment(today, internalSource("agent", { deployment_type: "dev" }));
  expect((await client.post(`/deployments/${id}/upload-url`)).status).toBe(404);
  const { body } = await client.post(`/v2/deployments/${id}/upload-url`, { supports_upload_headers: true });
  expect(Object.keys(body)).toEqual(["upload_url", "object_path"]);
  expect(await putTarball(body.upload_url, tarball())).toBe(403);
  const range = { "content-type": "application/gzip", "x-goog-content-length-range": "0,209715200" };
  expect(await putTarball(body.upload_url, tarball(), range)).toBe(200);
});

// @covers 4A.GET /v2/deployment-logs, 2A.Revision.status_message
test("a failed revision says why, and the log of the deployment has pages", async () => {
  const client = await start(today);
  await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["No memory"] } });
  const { id, latest_revision_id } = await createDeployment(client, docker("agent"), rolloutMs);
  const revision = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`);
  expect(revision.body).toMatchObject({ status: "DEPLOY_FAILED", status_message: "No memory" });
  const path = `/v2/deployment-logs?deployment_id=${id}`;
  const errors = (await client.get(`${path}&level=error&query=memory&start_time=2020-01-01`)).body;
  expect(errors).toMatchObject({ items: [{ message: "No memory" }], next_cursor: null });
  const query = `${path}&sort_order=desc&page_size=1`;
  const page = (await client.get(query)).body as unknown as { items: object[]; next_cursor: string };
  expect(page.items).toEqual([expect.objectContaining({ message: "No memory" })]);
  const next = (await client.get(`${query}&cursor=${page.next_cursor}`)).body as unknown as { items: object[] };
  expect(next.items).toHaveLength(1);
});

test.each([{ platform: "today" } as const, { strict: true }])("%j excludes interfaceOnly", async (mode) => {
  await expect(start({ ...mode, interfaceOnly: true }, true)).rejects.toThrow("cannot be combined");
});
