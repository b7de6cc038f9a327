/**
 * `npm run bench`: runs all benchmarks and prints the results with their targets. Never fails on a missed target, since
 * machines differ.
 */
import { availableParallelism, loadavg } from "node:os";
import { ready } from "../setup/index.mjs";
import { step } from "../setup/step.mjs";
import { agents } from "./agents.ts";
import { checks } from "./checks.ts";
import { compare, MEASUREMENTS } from "./compare.ts";
import { conversationFigures } from "./conversations.ts";
import { type Figure, print } from "./figures.ts";
import { FLEETS, manyStacks, QUICK_FLEETS } from "./many-stacks.ts";
import { lifecycle, loadTimes, plugin } from "./processes.ts";
import { rollouts } from "./rollouts.ts";
import { type Sandbox, withSandbox } from "./sandbox.ts";
import { threads } from "./threads.ts";
import { traces } from "./traces.ts";

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
      meaning:
        "measure 100 to 500 deployments in a stack, 200 to 5,000 in many, and 60 rollouts in parallel (about an hour)",
    },
    exports: { type: "boolean", meaning: "measure only exports" },
    conversations: {
      type: "boolean",
      meaning: "measure only backups of published agent servers, compared with single requests (about ten minutes)",
    },
    quick: {
      type: "boolean",
      meaning:
        "measure exports with fewer runs, conversations with fewer threads, with --scale only 100 deployments " +
        "without delays, and with --fleet only many stacks",
    },
  },
};

interface Options {
  scale?: boolean;
  fleet?: boolean;
  exports?: boolean;
  conversations?: boolean;
  quick?: boolean;
}

export async function main({ scale, fleet, exports: exportsOnly, conversations, quick = false }: Options) {
  const tools = await ready();
  const exports = async () => {
    // Its dependencies exist only after the set-up.
    const { exportFigures } = await import("./exports.ts");
    return step<Figure[]>("Exports", "runs to Parquet", (now) => exportFigures(tools, quick, now));
  };
  if (exportsOnly) return print(await exports());
  if (conversations) return print(await measureConversations(tools, quick ? 100 : 1000));
  if (scale) return withSandbox(tools, (sandbox) => compare(sandbox, MEASUREMENTS[quick ? "quick" : "scale"]));
  if (fleet)
    return withSandbox(tools, (sandbox) => (quick ? manyStacks(sandbox, QUICK_FLEETS) : measureFleet(sandbox)));
  const figures = await withSandbox(tools, measureAll);
  print([...figures, ...(await exports())]);
  const [load = 0] = loadavg();
  const cores = availableParallelism();
  if (load > cores)
    console.log(`\nThe machine is busy (load ${load.toFixed(1)} on ${cores} cores), so times are longer than usual.`);
}

const measureConversations = (tools: Awaited<ReturnType<typeof ready>>, count: number) =>
  step<Figure[]>("Conversations", `${count} threads`, (now) => conversationFigures(tools, count, now));

async function measureFleet(sandbox: Sandbox) {
  await manyStacks(sandbox, FLEETS);
  await compare(sandbox, MEASUREMENTS.fleet);
  print(await step<Figure[]>("Rollouts", "60 at real speed", () => rollouts(sandbox, 60)));
}

async function measureAll(sandbox: Sandbox) {
  await compare(sandbox, MEASUREMENTS.quick);
  return [
    ...(await step<Figure[]>("Rollouts", "8 at real speed", () => rollouts(sandbox, 8))),
    ...(await step<Figure[]>("Checks", "three in each rollout", () => checks(sandbox))),
    ...(await step<Figure[]>("Lifecycle", "check and diff", () => lifecycle(sandbox))),
    ...(await step<Figure[]>("Load time", "SDK and provider", () => loadTimes(sandbox))),
    ...(await plugin(sandbox)),
    ...(await step<Figure[]>("Traces", "up of 100 deployments", (now) => traces(sandbox, now))),
    ...(await step<Figure[]>("Agents", "rollouts, requests and 20 at once", () => agents(sandbox))),
    ...(await step<Figure[]>("Threads", "10,000 of 20 checkpoints", (now) => threads(sandbox, now))),
  ];
}
