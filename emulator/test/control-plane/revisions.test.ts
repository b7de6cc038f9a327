import fc from "fast-check";
import {
  type Body,
  type Client,
  createDeployment,
  docker,
  githost,
  rolloutMs,
  start,
  statuses,
  statusOf,
} from "../support/emulator";

const change = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

/** Returns the statuses that a revision passes through as time advances. */
async function statusHistory(client: Client, { id, latest_revision_id }: Body): Promise<string[]> {
  const history: string[] = [];
  for (let step = 0; step < 100; step++) {
    const status = await statusOf(client, id, latest_revision_id);
    if (history.at(-1) !== status) history.push(status);
    await client.advance(100);
  }
  return history;
}

describe("a revision", () => {
  test("of an image goes from CREATING to DEPLOYED without a build", async () => {
    const client = await start({ strict: true });
    const deployment = await createDeployment(client, docker("agent"));
    expect(await statusHistory(client, deployment)).toEqual([
      "CREATING",
      "QUEUED",
      "AWAITING_DEPLOY",
      "DEPLOYING",
      "DEPLOYED",
    ]);
  });

  test("of a repository is built before it is deployed", async () => {
    const client = await start({ strict: true });
    const history = await statusHistory(client, await createDeployment(client, githost("agent")));
    expect(history).toEqual([
      ...["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"],
    ]);
  });

  test("is returned with six fields", async () => {
    const client = await start({ strict: true });
    const { id, latest_revision_id, source_revision_config } = await createDeployment(client, docker("agent"));
    const { body } = await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`);
    const time = client.emulator.clock.read().now;
    expect(body).toEqual({
      id: latest_revision_id,
      created_at: time,
      updated_at: time,
      status: "CREATING",
      source: "external_docker",
      source_revision_config,
    });
  });

  // @covers 2A.SourceRevisionConfig.repo_commit_sha
  test("of a repository is returned with its commit and the image that was built", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, githost("agent"));
    await client.advance(rolloutMs);
    const { source_revision_config } = (await client.get(`/v2/deployments/${id}`)).body;
    expect(source_revision_config.repo_commit_sha).toMatch(/^[0-9a-f]{40}$/);
    expect(source_revision_config.image_uri).toMatch(/^registry\.example\/agent@sha256:/);
  });

  test("of a repository does not inherit the image of the previous one", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, githost("agent"));
    await client.advance(rolloutMs);
    const change = { source_revision_config: { repo_ref: "other" } };
    const { source_revision_config } = (await client.patch(`/v2/deployments/${id}`, change)).body;
    expect(source_revision_config).toMatchObject({ repo_ref: "other", agentgraph_config_path: "agentgraph.json" });
    expect(source_revision_config.image_uri).toBeNull();
  });

  // @covers 2A.Deployment.source_revision_config:latest, 2A.SourceRevisionConfig:whose
  test("keeps its own values, while the deployment shows those of the latest revision", async () => {
    const client = await start({ strict: true });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    await client.patch(`/v2/deployments/${id}`, change(2));
    const first = (await client.get(`/v2/deployments/${id}/revisions/${latest_revision_id}`)).body;
    expect(first.source_revision_config.image_uri).toBe("registry.example/agent:1");
    const deployment = (await client.get(`/v2/deployments/${id}`)).body;
    expect(deployment.source_revision_config.image_uri).toBe("registry.example/agent:2");
  });

  // @covers 2A.SourceRevisionConfig.image_uri
  test("without an image fails, and its log contains the cause", async () => {
    const client = await start({ strict: true });
    const body = await createDeployment(client, docker("agent", { source_revision_config: {} }));
    await client.advance(rolloutMs);
    expect(await statuses(client, body.id)).toEqual(["DEPLOY_FAILED"]);
    const path = `/v2/deployments/${body.id}/revisions/${body.latest_revision_id}/logs?type=deploy&level=ERROR`;
    expect((await client.get(path)).body.logs).toMatchObject([{ message: expect.stringContaining("image_uri") }]);
  });

  // @covers 4A.GET /v2/deployments/{deployment_id}/revisions/{revision_id}
  test("of another deployment returns 404", async () => {
    const client = await start({ strict: true });
    const one = await createDeployment(client, docker("one"));
    const two = await createDeployment(client, docker("two"));
    const path = `/v2/deployments/${one.id}/revisions/${two.latest_revision_id}`;
    const detail = `Revision ${two.latest_revision_id} not found`;
    expect(await client.get(path)).toMatchObject({ status: 404, body: { detail } });
  });
});

// interface.md section 3, rule 2.
describe("the queue", () => {
  // @covers 3.2
  test("processes a new revision only after the current one finishes", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, docker("agent"));
    await client.advance(1000);
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(1000);
    expect(await statuses(client, id)).toEqual(["DEPLOYING", "QUEUED"]);
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "DEPLOYED"]);
  });

  test("skips a queued revision when a newer one is queued", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, docker("agent"));
    await client.advance(1000);
    for (const tag of [2, 3, 4]) await client.patch(`/v2/deployments/${id}`, change(tag));
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "SKIPPED", "SKIPPED", "DEPLOYED"]);
    const { body } = await client.get(`/v2/deployments/${id}`);
    expect(body.active_revision_id).toBe(body.latest_revision_id);
  });

  test("continues after a failure, and the last live revision stays active", async () => {
    const client = await start({ strict: true });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    await client.advance(rolloutMs);
    await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(rolloutMs);
    expect((await client.get(`/v2/deployments/${id}`)).body.active_revision_id).toBe(latest_revision_id);
    await client.patch(`/v2/deployments/${id}`, change(3));
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "DEPLOY_FAILED", "DEPLOYED"]);
  });

  // @covers 3.2
  test("keeps its invariants in any order of events", async () => {
    const step = fc.oneof(
      fc.record({ advance: fc.integer({ min: 0, max: 2500 }) }),
      fc.record({ patch: fc.constant(true) }),
      fc.record({ interrupt: fc.nat(5) }),
      fc.record({ fail: fc.constantFrom("BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "UNKNOWN", "SKIPPED") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const client = await start();
        const { id } = await createDeployment(client, docker("agent"));
        for (const [index, action] of steps.entries()) {
          if ("advance" in action) await client.advance(action.advance);
          if ("patch" in action) await client.patch(`/v2/deployments/${id}`, change(index));
          if ("fail" in action) await client.emulator.faults.add({ revision: { ends: action.fail } });
          if ("interrupt" in action) await interruptSome(client, id, action.interrupt);
          await checkInvariants(client, id);
        }
        await client.advance(60_000);
        const finalStatuses = await statuses(client, id);
        // Only a stuck revision can keep another one queued.
        if (!finalStatuses.includes("UNKNOWN")) expect(finalStatuses).not.toContain("QUEUED");
        await client.emulator.stop();
      }),
      { numRuns: 30 },
    );
  });
});

async function interruptSome(client: Client, id: string, index: number): Promise<void> {
  const { resources } = (await client.get(`/v2/deployments/${id}/revisions`)).body;
  const revision = resources[index % resources.length];
  await client.post(`/v2/deployments/${id}/revisions/${revision?.id}/interrupt`);
}

async function checkInvariants(client: Client, id: string): Promise<void> {
  const current = await statuses(client, id);
  const working = ["AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "UNKNOWN"];
  expect(current.filter((status) => working.includes(status)).length).toBeLessThanOrEqual(1);
  expect(current.filter((status) => status === "QUEUED").length).toBeLessThanOrEqual(1);
  const { body } = await client.get(`/v2/deployments/${id}`);
  if (body.active_revision_id !== null) expect(await statusOf(client, id, body.active_revision_id)).toBe("DEPLOYED");
}

// interface-notes.md section 2.
describe("on newer servers,", () => {
  test("revisions are listed newest first, by page and by status", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, docker("agent"));
    await client.advance(rolloutMs);
    const second = (await client.patch(`/v2/deployments/${id}`, change(2))).body.latest_revision_id;
    const all = (await client.get(`/v2/deployments/${id}/revisions`)).body;
    expect(all.resources.map((revision) => revision.id)[0]).toBe(second);
    expect(all.offset).toBe(2);
    expect((await client.get(`/v2/deployments/${id}/revisions?limit=1&offset=1`)).body.resources).toHaveLength(1);
    const created = (await client.get(`/v2/deployments/${id}/revisions?status=CREATING,QUEUED`)).body;
    expect(created.resources.map((revision) => revision.id)).toEqual([second]);
  });

  test("POST always creates a revision and returns it", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, docker("agent"));
    const body = { source_revision_config: {}, source_config: { resource_spec: { cpu: 2 } } };
    const response = await client.post(`/v2/deployments/${id}/revisions`, body);
    expect(response).toMatchObject({ status: 201, body: { status: "CREATING" } });
    const deployment = (await client.get(`/v2/deployments/${id}`)).body;
    expect(deployment.latest_revision_id).toBe(response.body.id);
    expect(deployment.source_config.resource_spec).toMatchObject({ cpu: 2 });
    expect(response.body.source_revision_config.image_uri).toBe("registry.example/agent:1");
  });

  test("POST accepts only commands and a spec as source_config", async () => {
    const client = await start({ strict: true });
    const { id } = await createDeployment(client, docker("agent"));
    const body = { source_revision_config: {}, source_config: { custom_url: "https://agent.example" } };
    const response = await client.post(`/v2/deployments/${id}/revisions`, body);
    expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "extra_forbidden" }] } });
  });

  test("a redeploy creates a revision with the configuration of an earlier one", async () => {
    const client = await start({ strict: true });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(rolloutMs);
    const response = await client.post(`/v2/deployments/${id}/revisions/${latest_revision_id}/redeploy`);
    expect(response).toMatchObject({ status: 200, body: { id } });
    expect(response.body.source_revision_config.image_uri).toBe("registry.example/agent:1");
    expect(await statuses(client, id)).toHaveLength(3);
  });

  test("a redeploy of a repository builds the same commit again", async () => {
    const client = await start({ strict: true });
    const { id, latest_revision_id, source_revision_config } = await createDeployment(client, githost("agent"));
    await client.advance(rolloutMs);
    const { body } = await client.post(`/v2/deployments/${id}/revisions/${latest_revision_id}/redeploy`);
    expect(body.source_revision_config.repo_commit_sha).toBe(source_revision_config.repo_commit_sha);
  });

  test("an interrupt frees a stuck queue", async () => {
    const client = await start({ strict: true });
    await client.emulator.faults.add({ revision: { ends: "UNKNOWN" } });
    const { id, latest_revision_id } = await createDeployment(client, docker("agent"));
    await client.advance(rolloutMs);
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["UNKNOWN", "QUEUED"]);
    const path = `/v2/deployments/${id}/revisions/${latest_revision_id}/interrupt`;
    expect(await client.post(path)).toMatchObject({ status: 200, body: { status: "INTERRUPTED" } });
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["INTERRUPTED", "DEPLOYED"]);
    expect((await client.post(path)).status).toBe(409);
  });
});
