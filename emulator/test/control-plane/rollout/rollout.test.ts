import fc from "fast-check";
import { type Client, createDeployment, docker, rolloutMs, start, statuses, statusOf } from "../../support/emulator";

const change = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

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
