/** Many deployments in one run. */
import { dockerDeployment, withImage } from "../../../support/deployments/inputs";
import { startPlatform } from "../../../support/platform";
import { Stack, stateOf } from "../../../support/stack";
import { ConcurrentClock } from "../../../support/time/concurrent-clock";

const MANY = 60;
const quick = { requestsPerSecond: "100000" };

/** Stacks of one program, which share one provider process. */
async function program() {
  const platform = await startPlatform();
  const clock = new ConcurrentClock(platform);
  const names = Array.from({ length: MANY }, (_, index) => `agent-${index}`);
  const service = { url: platform.url, clock };
  const stacks = names.map((name) => ({ name, stack: new Stack(service, { name, config: quick }) }));
  const host = new Stack(service, { config: quick }).host();
  const upAll = () =>
    clock.runAll(
      stacks.map(
        ({ name, stack }) =>
          () =>
            stack.up(dockerDeployment({ name }), host),
      ),
    );
  return { platform, stacks, upAll };
}

it("Deployment: 60 concurrent creates share polls, one fails with its cause, the others become live", async () => {
  const { platform, stacks, upAll } = await program();
  await platform.addFault({ revision: { deployment: "agent-7", ends: "DEPLOY_FAILED", logs: ["no such image"] } });
  const failures = (await upAll()).map((result) => result.status === "rejected" && result.reason.message);
  expect(failures).toEqual(stacks.map((_, index) => index === 7 && expect.stringContaining("no such image")));
  for (const [index, { stack }] of stacks.entries()) {
    const { latestRevisionId, activeRevisionId } = stateOf(stack).outputs;
    expect(activeRevisionId).toBe(index === 7 ? undefined : latestRevisionId);
  }
  const polls = platform.requests({ method: "GET" });
  const ofRevisions = polls.filter((poll) => poll.includes("/revisions/"));
  // One list to check the names, one first poll for each deployment, of which a fast machine combines many, and the
  // shared polls.
  expect(polls.length - ofRevisions.length).toBeLessThan(MANY + 10);
  expect(polls.filter((poll) => poll === "GET /v2/deployments").length).toBeGreaterThan(3);
  expect(ofRevisions.length).toBeLessThanOrEqual(MANY / 3);
});

it("Deployment: several failures with the same log show it once and refer to it", async () => {
  const platform = await startPlatform(
    {},
    { revision: { ends: "DEPLOY_FAILED", logs: ["pull access denied"] }, times: 3 },
  );
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs: ["disk full"] } });
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
    expect(message).toContain('The deploy log ends like that of deployment "one", whose error shows it.');
    expect(message).toContain("  cause      pull access denied\n");
  }
});
