/** Many deployments in one run: their looks are shared, and one bad image does not take all of them down. */
import { ConcurrentClock } from "../../../support/concurrent-clock";
import { dockerDeployment, withImage } from "../../../support/deployments";
import { startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";

const MANY = 60;
const quick = { requestsPerSecond: "100000" };

/** Stacks of one program, which one process of the engine's host serves. */
async function program() {
  const platform = await startPlatform();
  const clock = new ConcurrentClock(platform);
  const names = Array.from({ length: MANY }, (_, index) => `agent-${index}`);
  const service = { url: platform.url, clock };
  const stacks = names.map((name) => ({ name, stack: new Stack(service, { name, config: quick }) }));
  const host = new Stack(service, { config: quick }).host();
  const upAll = (change = {}, process = host) =>
    clock.runAll(
      stacks.map(
        ({ name, stack }) =>
          () =>
            stack.up(dockerDeployment({ name, ...change }), process),
      ),
    );
  return { platform, stacks, upAll };
}

it("sixty that are created at once look at themselves together, and each serves in the end", async () => {
  const { platform, stacks, upAll } = await program();
  const results = await upAll();
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  for (const { stack } of stacks) {
    const { latestRevisionId, activeRevisionId } = stateOf(stack).outputs;
    expect(activeRevisionId).toBe(latestRevisionId);
  }
  const looks = platform.requests({ method: "GET" });
  // One list to see whether the names are free, one look of its own for each, and the shared ones.
  expect(looks.length).toBeLessThan(MANY + 30);
  expect(looks.filter((look) => look === "GET /v2/deployments").length).toBeGreaterThan(3);
});

it("one of sixty that fails is told with its cause, and the others serve", async () => {
  const { platform, stacks, upAll } = await program();
  await platform.emulator.faults.add({
    revision: { deployment: "agent-7", ends: "DEPLOY_FAILED", logs: ["no such image"] },
  });
  const failed = (await upAll()).flatMap((result, index) =>
    result.status === "rejected" ? [[index, result.reason.message]] : [],
  );
  expect(failed).toEqual([[7, expect.stringContaining("no such image")]]);
  expect(stacks.filter(({ stack }) => !stateOf(stack).failed)).toHaveLength(MANY - 1);
});

it("Deployment: many that fail alike show the log once, and refer to it", async () => {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["pull access denied"] }, times: 3 });
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["disk full"] } });
  const host = new Stack(platform).host();
  const errors: string[] = [];
  for (const name of ["one", "two", "three", "four"])
    await new Stack(platform, { name })
      .up(dockerDeployment({ name, ...withImage("denied") }), host)
      .catch(({ message }) => errors.push(message));
  expect(errors.map((message) => message.split("\n").filter((line) => line.startsWith("  | ")).length > 0)).toEqual([
    ...[true, false, false, true],
  ]);
  for (const message of errors.slice(1, 3)) {
    expect(message).toContain('The deploy log ends as that of deployment "one", which is shown there.');
    expect(message).toContain("  cause      pull access denied\n");
  }
});

describe("stopAfterFailures", () => {
  it("refuses those that have not started once so many failed, changes nothing of them, and ends with the run", async () => {
    const platform = await startPlatform();
    const names = ["one", "two", "three", "four"];
    const stacks = names.map((name) => new Stack(platform, { name }));
    for (const [index, stack] of stacks.entries()) await stack.up(dockerDeployment({ name: names[index] }));
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" }, times: 2 });
    const process = new Stack(platform).host({ stopAfterFailures: "2" });
    const errors: string[] = [];
    for (const [index, stack] of stacks.entries())
      await stack
        .up(dockerDeployment({ name: names[index], ...withImage("2") }), process)
        .catch(({ message }) => errors.push(message));
    expect(
      errors.map((message) => /^Deployment "[^"]+": Not started: 2 .*stopAfterFailures is 2/.test(message)),
    ).toEqual([false, false, true, true]);
    const revisions = await Promise.all(
      stacks.map(async (stack) => (await platform.getDeployment(stateOf(stack).id)).revisions.length),
    );
    expect(revisions).toEqual([2, 2, 1, 1]);
    for (const [index, stack] of stacks.entries())
      await stack.up(dockerDeployment({ name: names[index], ...withImage("2") }));
    for (const stack of stacks)
      expect((await platform.getDeployment(stateOf(stack).id)).source_revision_config.image_uri).toBe(
        "registry.example.com/agent:2",
      );
  });

  it("does not refuse a delete, which only takes away", async () => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    const stack = new Stack(platform);
    const process = stack.host({ stopAfterFailures: "1" });
    await stack.up(dockerDeployment(), process).catch(() => undefined);
    const held = stateOf(stack);
    await platform.advance(1000);
    await stack.destroy(stack.host({ stopAfterFailures: "1" }));
    expect([held.failed, await platform.deployments()]).toEqual([true, []]);
  });
});
