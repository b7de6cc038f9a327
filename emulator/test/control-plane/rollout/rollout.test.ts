import { rolloutMs, startDeployment, statuses } from "../../support/emulator";

const change = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

describe("the queue", () => {
  // @covers 3.2
  test("processes a new revision only after the current one finishes", async () => {
    const { client, id } = await startDeployment({ strict: true });
    await client.advance(1000);
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(1000);
    expect(await statuses(client, id)).toEqual(["DEPLOYING", "QUEUED"]);
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "DEPLOYED"]);
  });

  // @covers 3.Revision status:skipped
  test("skips a queued revision when a newer one is queued", async () => {
    const { client, id } = await startDeployment({ strict: true });
    await client.advance(1000);
    for (const tag of [2, 3, 4]) await client.patch(`/v2/deployments/${id}`, change(tag));
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "SKIPPED", "SKIPPED", "DEPLOYED"]);
    const { body } = await client.get(`/v2/deployments/${id}`);
    expect(body.active_revision_id).toBe(body.latest_revision_id);
  });

  // @covers 3.Revision status:failed
  test("continues after a failure, and the last live revision stays active", async () => {
    const { client, id, latest_revision_id } = await startDeployment({ strict: true });
    await client.advance(rolloutMs);
    await client.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    await client.patch(`/v2/deployments/${id}`, change(2));
    await client.advance(rolloutMs);
    expect((await client.get(`/v2/deployments/${id}`)).body.active_revision_id).toBe(latest_revision_id);
    await client.patch(`/v2/deployments/${id}`, change(3));
    await client.advance(rolloutMs);
    expect(await statuses(client, id)).toEqual(["DEPLOYED", "DEPLOY_FAILED", "DEPLOYED"]);
  });
});
