/** `npm run bench`: measures every figure and prints it beside its target. It judges nothing: machines differ. */
import { availableParallelism, loadavg } from "node:os";
import { ready } from "../setup/index.mjs";
import { Problem } from "../setup/problem.mjs";
import { step } from "../setup/step.mjs";
import { manyDeployments, rollouts } from "./engine.mjs";
import { exportFigures } from "./exports.mjs";
import { lifecycleCosts, providerLoad, sdkLoad } from "./processes.mjs";
import { withSandbox } from "./sandbox.mjs";
import { scale } from "./scale.mjs";
import { threads } from "./threads.mjs";

/** The other tables alone; the exports alone; exports of fewer runs. */
const OPTIONS = ["--scale", "--exports", "--quick"];

export async function main(args) {
  if (args.some((arg) => !OPTIONS.includes(arg)))
    throw new Problem(`npm run bench takes these options: -- ${OPTIONS.join(" ")}`);
  const quick = args.includes("--quick");
  const tools = await ready();
  if (args.includes("--scale")) return withSandbox(tools, scale);
  const exports = () => step("Exports", "runs to Parquet", (now) => exportFigures(tools, quick, now));
  if (args.includes("--exports")) return print(await exports());
  const figures = await withSandbox(tools, async (sandbox) => [
    ...(await step("Engine", "100 deployments", (now) => manyDeployments(sandbox, now))),
    ...(await step("Rollouts", "8 at real speed", () => rollouts(sandbox))),
    ...(await step("Lifecycle", "check and diff", () => lifecycleCosts(sandbox))),
    ...(await step("Imports", "the program's half", () => sdkLoad(sandbox))),
    ...(await step("Imports", "the provider's half", () => providerLoad(sandbox))),
    ...(await step("Threads", "10,000 of 20 checkpoints", (now) => threads(sandbox, now))),
  ]);
  print([...figures, ...(await exports())]);
  const [load, cores] = [loadavg()[0], availableParallelism()];
  if (load > cores)
    console.log(`\nThe machine is busy (load ${load.toFixed(1)} on ${cores} cores): times are longer than alone.`);
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
  const table = [["Figure", "Target", "Measured", ""], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  console.log();
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] + 2))
        .join("")
        .trimEnd(),
    );
  console.log("\nHow each was measured");
  for (const { what, how } of figures) console.log(`  ${what}: ${how}`);
}
