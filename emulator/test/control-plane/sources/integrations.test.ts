import {
  type Body,
  type Client,
  createDeployment,
  docker,
  githost,
  rolloutMs,
  start,
  startDeployment,
  statuses,
} from "../../support/emulator";
import { expectError } from "../../support/rejections";

const integration_id = "33333333-3333-4333-8333-333333333333";
const repo_url = "https://git.example/team/agent";

describe("the repositories of an integration", () => {
  // @covers 2A.Integration
  test("are a plain array with the fields that a deployment needs", async () => {
    const client = await start({ strict: true });
    await client.emulator.seed({ repositories: [{ owner: "team", name: "zoo", default_branch: "trunk" }] });
    const { status, body } = await client.get(`/v1/integrations/githost/${integration_id}/repos`);
    expect(status).toBe(200);
    const common = { id: expect.any(Number), owner: "team", host_integration_id: integration_id };
    expect(body).toEqual([
      { ...common, name: "agent", url: repo_url, default_branch: "main" },
      { ...common, name: "zoo", url: "https://git.example/team/zoo", default_branch: "trunk" },
    ]);
  });

  test("are those of this workspace only", async () => {
    const client = await start({ strict: true });
    const path = `/v1/integrations/githost/${integration_id}/repos`;
    const headers = { "x-api-key": "k", "x-tenant-id": "aaaaaaaa-0000-4000-8000-000000000001" };
    expectError(await client.send("GET", path, undefined, headers), 404, `Integration ${integration_id} not found`);
    expect((await client.get("/v1/integrations/githost/none/repos")).status).toBe(422);
  });
});

describe("a push", () => {
  const commit_sha = "a".repeat(40);
  const push = (client: Client, body: object) => client.admin("POST", "/pushes", body);
  const shaOf = async (client: Client, { id }: Body) =>
    (await client.get(`/v2/deployments/${id}`)).body.source_revision_config.repo_commit_sha;

  // @covers 2A.SourceConfig.build_on_push
  test("to the branch of a deployment with build_on_push creates a revision with its commit", async () => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, githost("agent", { build_on_push: true }), rolloutMs);
    const { status, body } = await push(client, { repo_url: `${repo_url}.git`, ref: "refs/heads/main", commit_sha });
    const { latest_revision_id } = (await client.get(`/v2/deployments/${deployment.id}`)).body;
    expect(latest_revision_id).not.toBe(deployment.latest_revision_id);
    const revisions = [{ deployment_id: deployment.id, revision_id: latest_revision_id }];
    expect({ status, body }).toEqual({ status: 201, body: { ref: "main", commit_sha, revisions } });
    await client.advance(rolloutMs);
    expect(await statuses(client, deployment.id)).toEqual(["DEPLOYED", "DEPLOYED"]);
    expect(await shaOf(client, deployment)).toBe(commit_sha);
  });

  // @covers 2A.SourceConfig.build_on_push
  test.each<[string, object, object]>([
    ["without build_on_push", githost("agent", { build_on_push: false }), {}],
    ["of another branch", githost("agent", { build_on_push: true }), { ref: "other" }],
    ["of another repository", githost("agent", { build_on_push: true }), { repo_url: "https://git.example/a/b" }],
    ["of another source", docker("agent"), {}],
  ])("creates no revision of a deployment %s", async (_, body, change) => {
    const { client, id } = await startDeployment({ strict: true }, body);
    expect((await push(client, { repo_url, ref: "main", ...change })).body).toMatchObject({ revisions: [] });
    expect(await statuses(client, id)).toHaveLength(1);
  });

  test("without build_on_push is built by the next revision, and earlier revisions keep their commits", async () => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, githost("agent"), rolloutMs);
    const before = await shaOf(client, deployment);
    await push(client, { repo_url, commit_sha });
    expect(await shaOf(client, deployment)).toBe(before);
    await client.patch(`/v2/deployments/${deployment.id}`, { source_revision_config: { repo_ref: "main" } });
    expect(await shaOf(client, deployment)).toBe(commit_sha);
    await client.post(`/v2/deployments/${deployment.id}/revisions/${deployment.latest_revision_id}/redeploy`);
    expect(await shaOf(client, deployment)).toBe(before);
  });

  test("creates a revision of each deployment that is not being deleted, whatever the form of its URL", async () => {
    const client = await start({ strict: true });
    const created = [];
    for (const [name, end] of Object.entries({ a: "", b: ".git", c: "/", d: "" }))
      created.push(await createDeployment(client, githost(name, { repo_url: repo_url + end, build_on_push: true })));
    await client.remove(`/v2/deployments/${created[3]?.id}`);
    const { body } = await push(client, { repo_url: `${repo_url}//`, ref: "main" });
    const { ref, revisions, commit_sha: sha } = body as unknown as { [key: string]: unknown; revisions: object[] };
    expect({ ref, sha }).toEqual({ ref: "main", sha: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(revisions).toMatchObject(created.slice(0, 3).map(({ id }) => ({ deployment_id: id })));
  });

  test("without a branch goes to the default branch, like a deployment without one", async () => {
    const client = await start({ strict: true });
    await client.emulator.seed({ repositories: [{ name: "zoo", default_branch: "trunk" }] });
    const url = "https://git.example/team/zoo";
    const body = githost("agent", { repo_url: url, build_on_push: true }, { repo_ref: null });
    const { id } = await createDeployment(client, body);
    const { ref, revisions } = await client.emulator.push({ repo_url: url });
    expect({ ref, ids: revisions.map(({ deployment_id }) => deployment_id) }).toEqual({ ref: "trunk", ids: [id] });
    expect(await client.emulator.push({ repo_url: "https://git.example/a/unknown" })).toMatchObject({ ref: "main" });
  });

  test("with invalid values is rejected", async () => {
    const client = await start();
    for (const body of [{ ref: "main" }, { repo_url, commit_sha: "short" }, { repo_url, branch: "main" }])
      expect((await push(client, body)).status).toBe(422);
  });
});
