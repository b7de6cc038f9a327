import { FleetHint } from "../../../../provider/resources/deployment/deployments-of-run";
import { ConcurrentClock } from "../../../support/concurrent-clock";
import { dockerDeployment } from "../../../support/deployments/inputs";
import { startPlatform } from "../../../support/platform";
import { Stack } from "../../../support/stack";

const HINT = /^Waiting for 7 rollouts at once\..*--parallel <number>/;
const S = 1000;

/** Returns a hint for a default parallelism of 8, with a number of rollouts since the time 0. */
function waitingFor(count: number): FleetHint {
  const hint = new FleetHint(8);
  for (let index = 0; index < count; index++) hint.enter(0);
  return hint;
}

describe("FleetHint: the line about --parallel", () => {
  it("is shown once after 30 s with seven concurrent rollouts", () => {
    const hint = waitingFor(7);
    expect([hint.takeMessage(29 * S), hint.takeMessage(30 * S), hint.takeMessage(31 * S)]).toEqual([
      undefined,
      expect.stringMatching(HINT),
      undefined,
    ]);
  });

  it("is not shown for six rollouts, however long they take", () => {
    expect(waitingFor(6).takeMessage(3600 * S)).toBeUndefined();
  });

  it("is not shown for more rollouts than the default parallelism, because the user has raised it", () => {
    expect(waitingFor(9).takeMessage(3600 * S)).toBeUndefined();
  });

  it("is shown for consecutive batches", () => {
    const hint = waitingFor(7);
    for (let index = 0; index < 7; index++) hint.leave(20 * S);
    for (let index = 0; index < 7; index++) hint.enter(21 * S);
    expect(hint.takeMessage(31 * S)).toMatch(HINT);
  });

  it("is not shown for batches with a long gap between them", () => {
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
  const rollouts = Array.from({ length: 7 }, (_, index) => new Stack(service, { name: `agent-${index}` }));
  const stack = new Stack(service);
  const host = stack.host();
  const { sleep } = clock;
  clock.sleep = async (milliseconds) => {
    if (clock.now() - begin > 40 * S && platform.emulator.faults.list().length > 0)
      await platform.emulator.faults.clear(hold.id);
    return sleep.call(clock, milliseconds);
  };
  await clock.runAll(rollouts.map((one, index) => () => one.up(dockerDeployment({ name: `agent-${index}` }), host)));
  expect(stack.messages.filter((row) => row.includes("--parallel"))).toEqual([
    expect.stringContaining("info: Waiting for"),
  ]);
});
