import { createDeployment, docker, githost, rolloutMs, startDeployment, statusOf } from "../support/emulator";

const change = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

describe("a revision", () => {
  // @covers 3.Revision status
  test("of a repository is built before it is deployed", async () => {
    const { client, id, latest_revision_id } = await startDeployment({ strict: true }, githost("agent"));
    const history: string[] = [];
    for (let step = 0; step < 100; step++) {
      const status = await statusOf(client, id, latest_revision_id);
      if (history.at(-1) !== status) history.push(status);
      await client.advance(100);
    }
    expect(history.join(" ")).toBe("CREATING QUEUED AWAITING_BUILD BUILDING AWAITING_DEPLOY DEPLOYING DEPLOYED");
  });

  // @covers 2A.Revision.fields
  test("is returned with six fields", async () => {
    const { client, id, latest_revision_id, source_revision_config } = await startDeployment({ strict: true });
    const { body } = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`);
    const time = client.emulator.clock.read().now;
    const content = { status: "CREATING", source: "external_docker", source_revision_config };
    expect(body).toEqual({ id: latest_revision_id, created_at: time, updated_at: time, ...content });
  });

  // @covers 2A.SourceRevisionConfig.repo_commit_sha, 2A.SourceRevisionConfig.image_uri:built
  test("of a repository has its commit and the image that was built, which the next one does not inherit", async () => {
    const { client, id } = await startDeployment({ strict: true }, githost("agent"), rolloutMs);
    const { source_revision_config } = (await client.get(`/v2/deployments/${id}`)).body;
    expect(source_revision_config.repo_commit_sha).toMatch(/^[0-9a-f]{40}$/);
    expect(source_revision_config.image_uri).toMatch(/^registry\.example\/agent@sha256:/);
    const change = { source_revision_config: { repo_ref: "other" } };
    const next = (await client.patch(`/v2/deployments/${id}`, change)).body.source_revision_config;
    expect(next).toMatchObject({ repo_ref: "other", agentgraph_config_path: "agentgraph.json", image_uri: null });
  });

  // @covers 2A.Deployment.source_revision_config:latest, 2A.SourceRevisionConfig:whose, 3.Revision status:live
  test("keeps its own values, while the deployment shows those of the latest revision", async () => {
    const { client, id, latest_revision_id } = await startDeployment({ strict: true });
    await client.patch(`/v2/deployments/${id}`, change(2));
    const first = (await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`)).body;
    expect(first.source_revision_config.image_uri).toBe("registry.example/agent:1");
    const deployment = (await client.get(`/v2/deployments/${id}`)).body;
    expect(deployment.source_revision_config.image_uri).toBe("registry.example/agent:2");
  });

  // @covers 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
  test("of another deployment returns 404", async () => {
    const { client, ...one } = await startDeployment({ strict: true }, docker("one"));
    const two = await createDeployment(client, docker("two"));
    const path = `/v2/deployments/${one.id}/revisions/${two.latest_revision_id}`;
    const detail = `Revision ${two.latest_revision_id} not found`;
    expect(await client.get(path)).toMatchObject({ status: 404, body: { detail } });
  });
});
