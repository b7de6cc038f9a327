import { createDeployment, docker, githost, rolloutMs, start, startDeployment, statuses } from "../../support/emulator";

const change = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

describe("on newer servers,", () => {
  // @covers 4A.GET /v2/deployments/{deployment_id}/revisions
  test("revisions are listed newest first, by page and by status", async () => {
    const { client, id } = await startDeployment({ strict: true }, docker("agent"), rolloutMs);
    const second = (await client.patch(`/v2/deployments/${id}`, change(2))).body.latest_revision_id;
    const all = (await client.get(`/v2/deployments/${id}/revisions`)).body;
    expect(all.resources.map((revision) => revision.id)[0]).toBe(second);
    expect(all.offset).toBe(2);
    expect((await client.get(`/v2/deployments/${id}/revisions?limit=1&offset=1`)).body).toMatchObject({
      resources: [{ status: "DEPLOYED" }],
      offset: 2,
    });
    const created = (await client.get(`/v2/deployments/${id}/revisions?status=QUEUED,%20CREATING`)).body;
    expect(created.resources.map((revision) => revision.id)).toEqual([second]);
    expect(created.offset).toBe(1);
  });

  // @covers 4A.POST /v2/deployments/{deployment_id}/revisions
  test("POST always creates a revision and returns it", async () => {
    const { client, id } = await startDeployment({ strict: true });
    const body = { source_revision_config: {}, source_config: { resource_spec: { cpu: 2 } } };
    const response = await client.post(`/v2/deployments/${id}/revisions`, body);
    expect(response).toMatchObject({ status: 201, body: { status: "CREATING" } });
    const deployment = (await client.get(`/v2/deployments/${id}`)).body;
    expect(deployment.latest_revision_id).toBe(response.body.id);
    expect(deployment.source_config.resource_spec).toMatchObject({ cpu: 2 });
    expect(response.body.source_revision_config.image_uri).toBe("registry.example/agent:1");
  });

  test("POST accepts only commands and a spec as source_config", async () => {
    const { client, id } = await startDeployment({ strict: true });
    const body = { source_revision_config: {}, source_config: { custom_url: "https://agent.example" } };
    const response = await client.post(`/v2/deployments/${id}/revisions`, body);
    expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "extra_forbidden" }] } });
  });

  // @covers 4A.POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy
  test("a redeploy creates a revision with the configuration of an earlier one", async () => {
    const { client, id, latest_revision_id } = await startDeployment({ strict: true });
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(rolloutMs);
    const response = await client.post(`/v2/deployments/${id}/revisions/${latest_revision_id}/redeploy`);
    expect(response).toMatchObject({ status: 200, body: { id } });
    expect(response.body.source_revision_config.image_uri).toBe("registry.example/agent:1");
    expect(await statuses(client, id)).toHaveLength(3);
  });

  test("a redeploy of a repository builds the same commit again", async () => {
    const { client, id, latest_revision_id, source_revision_config } = await startDeployment(
      { strict: true },
      githost("agent"),
    );
    await client.advance(rolloutMs);
    const { body } = await client.post(`/v2/deployments/${id}/revisions/${latest_revision_id}/redeploy`);
    expect(body.source_revision_config.repo_commit_sha).toBe(source_revision_config.repo_commit_sha);
  });

  // @covers 4A.POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt
  test("an interrupt frees a stuck queue", async () => {
    const client = await start({ strict: true });
    await client.emulator.faults.add({ revision: { ends: "UNKNOWN" } });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"), rolloutMs);
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["UNKNOWN", "QUEUED"]);
    const path = `/v2/deployments/${id}/revisions/${latest_revision_id}/interrupt`;
    expect(await client.post(path)).toMatchObject({ status: 200, body: { status: "INTERRUPTED" } });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["INTERRUPTED", "DEPLOYED"]);
    const detail = `Revision ${latest_revision_id} has ended as INTERRUPTED and cannot be interrupted`;
    expect(await client.post(path)).toMatchObject({ status: 409, body: { detail } });
  });
});
