/** `npm run bench`: runs all benchmarks and prints the results with their targets. Never fails on a missed target, since machines differ. */
import { availableParallelism, loadavg } from "node:os";
import { ready } from "../setup/index.mjs";
import { step } from "../setup/step.mjs";
import { manyDeployments, rollouts } from "./engine.mjs";
import { plugin } from "./plugin.mjs";
import { lifecycleCosts, providerLoad, sdkLoad } from "./processes.mjs";
import { withSandbox } from "./sandbox.mjs";
import { fleet } from "./scale/fleet.mjs";
import { scale } from "./scale/scale.mjs";
import { threads } from "./threads.mjs";

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
      meaning: "measure 100 to 1,000 deployments, and 60 rollouts in parallel (about twenty minutes; Linux only)",
    },
    exports: { type: "boolean", meaning: "measure only exports" },
    quick: {
      type: "boolean",
      meaning:
        "measure exports with fewer runs, with --scale only 100 deployments without delays, and with --fleet no more than 250",
    },
  },
};

export async function main({ scale: scaleOnly, fleet: fleetOnly, exports: exportsOnly, quick = false }) {
  const tools = await ready();
  if (scaleOnly) return withSandbox(tools, (sandbox) => scale(sandbox, quick));
  const size = quick ? { sizes: [250], rounds: 1 } : { sizes: [250, 500, 1000], rounds: 3 };
  if (fleetOnly) return withSandbox(tools, (sandbox) => fleet(sandbox, size));
  // Its dependencies exist only after the set-up.
  const { exportFigures } = await import("./exports.mjs");
  const exports = () => step("Exports", "runs to Parquet", (now) => exportFigures(tools, quick, now));
  if (exportsOnly) return print(await exports());
  const figures = await withSandbox(tools, async (sandbox) => [
    ...(await step("Engine", "100 deployments", (now) => manyDeployments(sandbox, now))),
    ...(await step("Rollouts", "8 at real speed", () => rollouts(sandbox))),
    ...(await step("Lifecycle", "check and diff", () => lifecycleCosts(sandbox))),
    ...(await step("Load time", "SDK", () => sdkLoad(sandbox))),
    ...(await step("Load time", "provider", () => providerLoad(sandbox))),
    ...(await plugin(sandbox)),
    ...(await step("Threads", "10,000 of 20 checkpoints", (now) => threads(sandbox, now))),
  ]);
  print([...figures, ...(await exports())]);
  const [load, cores] = [loadavg()[0], availableParallelism()];
  if (load > cores)
    console.log(`\nThe machine is busy (load ${load.toFixed(1)} on ${cores} cores), so times are longer than usual.`);
}

/** @param {{ what: string, unit: string, most?: number, least?: number, measured: number, how: string }[]} figures */
function print(figures) {
  const value = (number, unit) =>
    `${Number.isInteger(number) ? number : number.toFixed(number < 10 ? 2 : 0)} ${unit}`.trim();
  const rows = figures.map(({ what, unit, most = Infinity, least = 0, measured }) => [
    what,
    least > 0 ? `at least ${value(least, unit)}` : `at most ${value(most, unit)}`,
    value(measured, unit),
    least <= measured && measured <= most ? "" : "MISSED",
  ]);
  const table = [["Benchmark", "Target", "Measured", ""], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  console.log();
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] + 2))
        .join("")
        .trimEnd(),
    );
  console.log("\nMethod");
  for (const { what, how } of figures) console.log(`  ${what}: ${how}`);
}
