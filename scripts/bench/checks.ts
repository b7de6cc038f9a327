/** `npm run bench`: what the checks of `verify` add to a rollout, with the real engine. */
import { join } from "node:path";
import { type Figure, median } from "./figures.ts";
import { writeChecked } from "./programs.ts";
import type { Sandbox } from "./sandbox.ts";

const ROLLOUTS = 5;

/** Returns how much longer an up with a new image takes with three checks that pass. */
export async function checks({ folder, startEmulator, stack }: Sandbox): Promise<Figure[]> {
  const emulator = await startEmulator("instant");
  const program = await writeChecked(join(folder, "checked"));
  const stackOf = async (checked: boolean) => {
    const cli = await stack(`checked-${checked}`, emulator, 1, program);
    return async (version: number) => {
      const begin = performance.now();
      await cli("up", "--yes", "--skip-preview", "-c", `version=${version}`, "-c", `checked=${checked}`);
      return performance.now() - begin;
    };
  };
  const [plainUp, checkedUp] = [await stackOf(false), await stackOf(true)];
  const [plain, checked]: [number[], number[]] = [[], []];
  // In turns, since the load of a machine changes. The first ones create the deployments.
  for (let version = 0; version <= ROLLOUTS; version++) {
    plain.push(await plainUp(version));
    checked.push(await checkedUp(version));
  }
  const [without, withChecks] = [plain, checked].map((times) => median(times.slice(1))) as [number, number];
  return [
    {
      ...{ what: "Three checks that pass", unit: "ms", most: 1000, measured: withChecks - without },
      how:
        `what http, ask and conversations add to an up with a new image (${Math.round(without)} ms), median of ` +
        `${ROLLOUTS}`,
    },
  ];
}
