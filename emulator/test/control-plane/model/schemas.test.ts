import { createDeployment, docker, githost, rolloutMs, start, startDeployment } from "../../support/emulator";
import { expectError } from "../../support/rejections";
import { internalSource } from "../../support/tarballs";

const uuid = "99999999-9999-4999-8999-999999999999";
const time = "2001-01-01T00:00:00.000Z";

// API `2A.Deployment`: the rows marked read-only.
describe("a read-only field of a deployment", () => {
  // @covers 2A.Deployment.id, 2A.Deployment.tenant_id, 2A.Deployment.created_at, 2A.Deployment.updated_at
  // @covers 2A.Deployment.latest_revision_id, 2A.Deployment.active_revision_id, 2A.Deployment.is_managed_deep_agent
  // @covers 2A.Deployment.status
  test.each([
    ["id", uuid],
    ["tenant_id", uuid],
    ["created_at", time],
    ["updated_at", time],
    ["status", "UNUSED"],
    ["latest_revision_id", uuid],
    ["active_revision_id", uuid],
    ["is_managed_deep_agent", true],
  ])("%s ignores the client's value, and a strict server rejects it", async (field, value) => {
    const client = await start();
    const deployment = await createDeployment(client, docker("agent", { [field]: value }));
    expect(deployment).toHaveProperty(field);
    expect(deployment).not.toHaveProperty(field, value);
    const patched = await client.patch(`/v2/deployments/${deployment.id}`, { [field]: value });
    expect(patched.body).not.toHaveProperty(field, value);
    const response = await (await start({ strict: true })).post("/v2/deployments", docker("agent", { [field]: value }));
    expectError(response, 422, [{ type: "extra_forbidden", loc: ["body", field] }]);
  });

  // @covers 2A.SourceRevisionConfig.repo_commit_sha, 2A.SourceRevisionConfig.repo_commit_sha:source
  test("repo_commit_sha is set by the server, and a strict server rejects the client's value", async () => {
    const config = { repo_ref: "main", agentgraph_config_path: "a.json", repo_commit_sha: "f".repeat(40) };
    const { client, ...deployment } = await startDeployment({}, githost("agent", {}, config));
    expect(deployment.source_revision_config.repo_commit_sha).toMatch(/^[0-9a-f]{40}$/);
    expect(deployment.source_revision_config.repo_commit_sha).not.toBe(config.repo_commit_sha);
    const other = docker("other", { source_revision_config: { image_uri: "x:1", repo_commit_sha: "f".repeat(40) } });
    expect((await createDeployment(client, other)).source_revision_config.repo_commit_sha).toBeNull();
    const strict = await start({ strict: true });
    const loc = ["body", "source_revision_config", "repo_commit_sha"];
    const response = await strict.post("/v2/deployments", githost("agent", {}, config));
    expectError(response, 422, [{ type: "extra_forbidden", loc }]);
  });
});

describe("creating a deployment", () => {
  const required = ["name", "source", "source_config", "source_revision_config", "secrets"];

  // @covers 2A.Deployment.name, 2A.Deployment.source, 2A.Deployment.source_config
  // @covers 2A.Deployment.source_revision_config, 2A.Deployment.secrets
  test.each(required)("requires %s, which cannot be null", async (field) => {
    const client = await start({ strict: true });
    const absent = await client.post("/v2/deployments", docker("agent", { [field]: undefined }));
    expect(absent.body.detail).toMatchObject([{ type: "missing", loc: ["body", field] }]);
    const response = await client.post("/v2/deployments", docker("agent", { [field]: null }));
    expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", field] }] } });
  });

  // @covers 2A.SourceConfig, 2A.SourceConfig.resource_spec, 2A.SourceRevisionConfig
  test("accepts null for every field of the configuration as if it were absent", async () => {
    const client = await start({ strict: true });
    const nulls = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, null]));
    const body = {
      source_config: {
        ...nulls("integration_id", "repo_url", "deployment_type", "build_on_push", "custom_url", "resource_spec"),
        ...nulls("listener_id", "listener_config", "install_command", "build_command"),
      },
      source_revision_config: nulls("repo_ref", "agentgraph_config_path", "image_uri", "source_tarball_path"),
    };
    expect(await createDeployment(client, docker("agent", body))).toMatchObject(body);
  });

  // @covers 2A.SourceConfig.deployment_type
  test.each(["dev_free", "dev", "prod", "dev_zero"])("of a repository accepts the type %s", async (deployment_type) => {
    const { source_config } = await startDeployment({ strict: true }, githost("agent", { deployment_type }));
    expect(source_config.deployment_type).toBe(deployment_type);
  });

  // @covers 2A.Secret.name, 2A.Secret.value, 2A.SecretReference.name, 2A.SecretReference.secret_name
  // @covers 2A.SecretReference.secret_key
  test.each([
    ["secrets", { value: "1" }, "name"],
    ["secrets", { name: "A" }, "value"],
    ["secret_references", { secret_name: "b", secret_key: "c" }, "name"],
    ["secret_references", { name: "A", secret_key: "c" }, "secret_name"],
    ["secret_references", { name: "A", secret_name: "b" }, "secret_key"],
  ])("rejects an item of %s such as %j, which lacks %s", async (list, item, field) => {
    const response = await (await start({ strict: true })).post("/v2/deployments", docker("agent", { [list]: [item] }));
    expect(response.body.detail).toMatchObject([{ type: "missing", loc: ["body", list, 0, field] }]);
  });
});

// @covers 2A.SourceConfig.custom_url:githost
test("the custom_url of a repository's deployment is set by the server", async () => {
  const { client, id, source_config } = await startDeployment({ strict: true }, githost("agent"));
  expect(source_config.custom_url).toBeNull();
  await client.advance(rolloutMs);
  expect((await client.get(`/v2/deployments/${id}`)).body.source_config.custom_url).toMatch(/^http/);
  const response = await client.patch(`/v2/deployments/${id}`, { source_config: { custom_url: "https://a.example" } });
  expect(response).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "source_config", "custom_url"] }] } });
});

// API `3.1`, for the field that only an uploaded source has.
// @covers 2A.SourceRevisionConfig.source_tarball_path:revision, 3.1
test("another tarball creates exactly one revision", async () => {
  const { client, id } = await startDeployment({ strict: true }, internalSource("agent"));
  const revisionIds: string[] = [];
  for (let upload = 0; upload < 2; upload++) {
    const { object_path } = (await client.post(`/deployments/${id}/upload-url`)).body;
    const change = { source_revision_config: { source_tarball_path: object_path } };
    revisionIds.push((await client.patch(`/v2/deployments/${id}`, change)).body.latest_revision_id);
  }
  expect(new Set(revisionIds).size).toBe(2);
  expect((await client.get(`/v2/deployments/${id}/revisions`)).body.resources).toHaveLength(2);
});
