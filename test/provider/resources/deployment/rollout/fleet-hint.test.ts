import { FleetHint } from "../../../../../provider/resources/deployment/rollout/fleet-hint";
import { ConcurrentClock } from "../../../../support/concurrent-clock";
import { dockerDeployment } from "../../../../support/deployments";
import { startPlatform } from "../../../../support/platform";
import { Stack } from "../../../../support/stack";

const HINT = /^Waiting for 7 rollouts at once\..*--parallel <number>/;
const S = 1000;

/** A hint of a machine on which the engine works on 8 at once, with so many rollouts from the time 0 on. */
function waitingFor(count: number): FleetHint {
  const hint = new FleetHint(8);
  for (let index = 0; index < count; index++) hint.enter(0);
  return hint;
}

describe("FleetHint: the line about --parallel", () => {
  it("is shown once, when seven rollouts have been waited for at once for 30 s", () => {
    const hint = waitingFor(7);
    expect([hint.takeMessage(29 * S), hint.takeMessage(30 * S), hint.takeMessage(31 * S)]).toEqual([
      undefined,
      expect.stringMatching(HINT),
      undefined,
    ]);
  });

  it("is not shown for half a dozen, however long they take", () => {
    expect(waitingFor(6).takeMessage(3600 * S)).toBeUndefined();
  });

  it("is not shown where more run at once than the engine does by itself, since somebody raised the number", () => {
    expect(waitingFor(9).takeMessage(3600 * S)).toBeUndefined();
  });

  it("is shown for batches that follow one another", () => {
    const hint = waitingFor(7);
    for (let index = 0; index < 7; index++) hint.leave(20 * S);
    for (let index = 0; index < 7; index++) hint.enter(21 * S);
    expect(hint.takeMessage(31 * S)).toMatch(HINT);
  });

  it("is not shown for batches with a long time between them", () => {
    const hint = waitingFor(7);
    for (let index = 0; index < 7; index++) hint.leave(20 * S);
    for (let index = 0; index < 7; index++) hint.enter(31 * S);
    expect(hint.takeMessage(60 * S)).toBeUndefined();
    expect(hint.takeMessage(61 * S)).toMatch(HINT);
  });
});

it("Deployment: seven rollouts of half a minute show the line about --parallel once", async () => {
  const platform = await startPlatform();
  const clock = new ConcurrentClock(platform);
  const service = { url: platform.url, clock };
  const hold = await platform.emulator.faults.add({ hold: { status: "DEPLOYING" } });
  const begin = clock.now();
  const crowd = Array.from({ length: 7 }, (_, index) => new Stack(service, { name: `agent-${index}` }));
  const stack = new Stack(service);
  const host = stack.host();
  const { sleep } = clock;
  clock.sleep = async (milliseconds) => {
    if (clock.now() - begin > 40 * S && platform.emulator.faults.list().length > 0)
      await platform.emulator.faults.clear(hold.id);
    return sleep.call(clock, milliseconds);
  };
  await clock.runAll(crowd.map((one, index) => () => one.up(dockerDeployment({ name: `agent-${index}` }), host)));
  expect(stack.messages.filter((row) => row.includes("--parallel"))).toEqual([
    expect.stringContaining("info: Waiting for"),
  ]);
});
