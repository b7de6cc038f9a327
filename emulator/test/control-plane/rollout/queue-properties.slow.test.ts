import fc from "fast-check";
import { type Client, startDeployment, statuses, statusOf } from "../../support/emulator";
import { runs } from "../../support/for-all";

const change = (tag: number) => ({ source_revision_config: { image_uri: `registry.example/agent:${tag}` } });

// @covers 3.2
test("the queue keeps its invariants in any order of events", async () => {
  const step = fc.oneof(
    fc.record({ advance: fc.integer({ min: 0, max: 2500 }) }),
    fc.record({ patch: fc.constant(true) }),
    fc.record({ interrupt: fc.nat(5) }),
    fc.record({ fail: fc.constantFrom("BUILD_FAILED", "DEPLOY_FAILED", "CREATE_FAILED", "UNKNOWN", "SKIPPED") }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const { client, id } = await startDeployment();
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
    runs(80),
  );
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
