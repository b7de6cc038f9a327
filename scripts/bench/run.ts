/** `npm run bench`: prints the results of benchmarks with their targets, and never fails: machines differ. */
import { availableParallelism, loadavg } from "node:os";
import { ready } from "../setup/index.mjs";
import { step } from "../setup/step.mjs";
import type { OptionsOf } from "../tools/options.ts";
import { compare, MEASUREMENTS } from "./compare.ts";
import { type Figure, print } from "./figures.ts";
import { FLEETS, manyStacks } from "./many-stacks.ts";
import { lifecycle, loadTimes, plugin } from "./processes.ts";
import { rollouts } from "./rollouts.ts";
import { type Sandbox, withSandbox } from "./sandbox.ts";

export const usage = {
  command: "npm run bench",
  summary: "Sets up the checkout, runs benchmarks and prints the results with their targets.",
  options: {
    scale: { type: "boolean", meaning: "measure 1, 10 and 100 deployments instead (about ten minutes)" },
    fleet: {
      type: "boolean",
      meaning:
        "measure 100 to 500 deployments in a stack, 200 to 5,000 in many, and 60 rollouts in parallel (about an hour)",
    },
  },
} as const;

export async function main({ scale, fleet }: OptionsOf<typeof usage>) {
  const tools = await ready();
  if (scale) return withSandbox(tools, (sandbox) => compare(sandbox, MEASUREMENTS.scale));
  if (fleet) return withSandbox(tools, measureFleet);
  print(await withSandbox(tools, measureAll));
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  if (load > cores)
    console.log(`\nThe machine is busy (load ${load.toFixed(1)} on ${cores} cores), so times are longer than usual.`);
}

async function measureFleet(sandbox: Sandbox) {
  await manyStacks(sandbox, FLEETS);
  await compare(sandbox, MEASUREMENTS.fleet);
  print(await step<Figure[]>("Rollouts", "60 at real speed", () => rollouts(sandbox, 60)));
}

async function measureAll(sandbox: Sandbox) {
  await compare(sandbox, MEASUREMENTS.quick);
  return [
    ...(await step<Figure[]>("Rollouts", "8 at real speed", () => rollouts(sandbox, 8))),
    ...(await step<Figure[]>("Lifecycle", "check and diff", () => lifecycle(sandbox))),
    ...(await step<Figure[]>("Load time", "SDK and provider", () => loadTimes(sandbox))),
    ...(await plugin(sandbox)),
  ];
}
