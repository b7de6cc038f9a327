/** `npm run bench`: runs all benchmarks and prints the results with their targets. Never fails on a missed target, since machines differ. */
import { availableParallelism, loadavg } from "node:os";
import { ready } from "../setup/index.mjs";
import { step } from "../setup/step.mjs";
import { compare, MEASUREMENTS, rolloutsAtOnce, table } from "./compare.ts";
import { type Figure, manyDeployments, rollouts } from "./engine.ts";
import { plugin } from "./plugin.ts";
import { lifecycleCosts, providerLoad, sdkLoad } from "./processes.ts";
import { withSandbox } from "./sandbox.ts";
import { threads } from "./threads.ts";

export const usage = {
  command: "npm run bench",
  summary: "Sets up the checkout, runs all benchmarks and prints the results with their targets.",
  options: {
    scale: {
      type: "boolean",
      meaning: "measure 1, 10 and 100 deployments instead, compared with Terraform (about ten minutes)",
    },
    fleet: {
      type: "boolean",
      meaning: "measure 100 to 1,000 deployments, and 60 rollouts in parallel (about twenty minutes)",
    },
    exports: { type: "boolean", meaning: "measure only exports" },
    quick: {
      type: "boolean",
      meaning: "measure exports with fewer runs, and with --scale only 100 deployments without delays",
    },
  },
};

interface Options {
  scale?: boolean;
  fleet?: boolean;
  exports?: boolean;
  quick?: boolean;
}

export async function main({ scale: scaleOnly, fleet: fleetOnly, exports: exportsOnly, quick = false }: Options) {
  const tools = await ready();
  if (scaleOnly) return withSandbox(tools, (sandbox) => compare(sandbox, MEASUREMENTS[quick ? "quick" : "scale"]));
  if (fleetOnly)
    return withSandbox(tools, async (sandbox) => {
      await compare(sandbox, MEASUREMENTS.fleet);
      await rolloutsAtOnce(sandbox);
    });
  // Its dependencies exist only after the set-up.
  const { exportFigures } = await import("./exports.mjs");
  const exports = () => step<Figure[]>("Exports", "runs to Parquet", (now) => exportFigures(tools, quick, now));
  if (exportsOnly) return print(await exports());
  const figures = await withSandbox(tools, async (sandbox) => [
    ...(await step<Figure[]>("Engine", "100 deployments", (now) => manyDeployments(sandbox, now))),
    ...(await step("Rollouts", "8 at real speed", () => rollouts(sandbox))),
    ...(await step("Lifecycle", "check and diff", () => lifecycleCosts(sandbox))),
    ...(await step("Load time", "SDK", () => sdkLoad(sandbox))),
    ...(await step("Load time", "provider", () => providerLoad(sandbox))),
    ...(await plugin(sandbox)),
    ...(await step<Figure[]>("Threads", "10,000 of 20 checkpoints", (now) => threads(sandbox, now))),
  ]);
  print([...figures, ...(await exports())]);
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  if (load > cores)
    console.log(`\nThe machine is busy (load ${load.toFixed(1)} on ${cores} cores), so times are longer than usual.`);
}

function print(figures: Figure[]) {
  const value = (number: number, unit: string) =>
    `${Number.isInteger(number) ? number : number.toFixed(number < 10 ? 2 : 0)} ${unit}`.trim();
  const rows = figures.map(({ what, unit, most = Infinity, least = 0, measured }) => [
    what,
    least > 0 ? `at least ${value(least, unit)}` : `at most ${value(most, unit)}`,
    value(measured, unit),
    least <= measured && measured <= most ? "" : "MISSED",
  ]);
  console.log();
  table([["Benchmark", "Target", "Measured", ""], ...rows]);
  console.log("\nMethod");
  for (const { what, how } of figures) console.log(`  ${what}: ${how}`);
}
