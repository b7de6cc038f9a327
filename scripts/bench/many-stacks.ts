/** `npm run bench -- --fleet`: examples/fleet with many stacks, by its own runner. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { ensureBundle } from "../plugin/bundle.ts";
import { ROOT } from "../setup/paths.mjs";
import { step } from "../setup/step.mjs";
import { childSeconds, slowEmulator } from "./compare.ts";
import { table } from "./figures.ts";
import type { Sandbox } from "./sandbox.ts";

interface Fleet {
  stacks: number;
  agents: number;
  provider: "dynamic" | "native";
  steps: (keyof typeof STEPS)[];
}

const STEPS = {
  up: ["up", "staging"],
  "update of all": ["up", "staging"],
  "no change, skipped": ["up", "staging"],
  "no change": ["up", "staging", "--all"],
  preview: ["preview", "staging", "--all"],
  refresh: ["refresh", "staging"],
  destroy: ["destroy", "staging"],
};
const ALL = Object.keys(STEPS) as (keyof typeof STEPS)[];

const AGENTS = 50;
const PROVIDERS = ["dynamic", "native"] as const;
export const FLEETS: Fleet[] = PROVIDERS.flatMap((provider) => [
  { provider, stacks: 4, agents: AGENTS, steps: ALL },
  { provider, stacks: 20, agents: AGENTS, steps: ALL },
  { provider, stacks: 100, agents: AGENTS, steps: ["up", "no change, skipped", "destroy"] },
]);

/** Milliseconds by which the emulator delays each request. */
const DELAY = 50;
/** Stacks at the same time. */
const AT_ONCE = availableParallelism();
const OLD_IMAGE = "registry.example.com/agent:1.0.0";
const NEW_IMAGE = "registry.example.com/agent:1.1.0";

interface Cost {
  seconds: number;
  /** Processor seconds of the runner and all its child processes. */
  processor: number;
  /** The most memory that the runner itself used, in megabytes. Linux only. */
  memory: number;
}

/** Measures fleets, one after another, and prints a table of each. */
export async function manyStacks(sandbox: Sandbox, fleets: readonly Fleet[]): Promise<void> {
  for (const [index, fleet] of fleets.entries()) {
    const total = fleet.stacks * fleet.agents;
    const name = `${total} deployments as ${fleet.stacks} stacks of ${fleet.agents}, ${fleet.provider}`;
    const emulator = await slowEmulator(sandbox, DELAY);
    const project = await prepare(sandbox, fleet, `fleet-${index}`);
    const env = { ...sandbox.stackEnv, AGENTGRAPH_CONTROL_PLANE_URL: emulator };
    const rows = await step<string[][]>("Fleet", name, async (now) => {
      const measured: string[][] = [];
      for (const one of fleet.steps) {
        now(one);
        if (one === "update of all") replaceIn(join(project, "fleet.yaml"), OLD_IMAGE, NEW_IMAGE);
        const args = [...STEPS[one], "--at-once", String(AT_ONCE)];
        const { seconds, processor, memory } = await measure(sandbox.node, ["run.ts", ...args], project, env);
        measured.push([
          one,
          ...[seconds, processor, (1000 * seconds) / total, memory].map((figure) => figure.toFixed(1)),
        ]);
      }
      return measured;
    });
    console.log(`\n${name}, ${DELAY} ms for each request, ${AT_ONCE} stacks at once`);
    table([["Step", "seconds", "CPU seconds", "seconds per 1,000", "runner MB"], ...rows]);
    sandbox.stopEmulator(emulator);
  }
}

/** Copies the example, with so many groups and agents. Returns its folder. */
async function prepare(sandbox: Sandbox, { stacks, agents, provider }: Fleet, name: string): Promise<string> {
  const project = join(sandbox.folder, name);
  cpSync(join(ROOT, "examples/fleet"), project, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  const link = (module: string, target: string) => {
    mkdirSync(dirname(join(project, "node_modules", module)), { recursive: true });
    symlinkSync(target, join(project, "node_modules", module));
  };
  const { dependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  for (const one of Object.keys(dependencies))
    link(one, one === "pulumi-agentgraph" ? ROOT : join(ROOT, "node_modules", one));
  link(".bin/agentgraph", join(ROOT, "dist/cli/main.js"));
  writeFileSync(join(project, "fleet.yaml"), fleetYaml(stacks, agents));
  // A project of this name shares the folder of the states with those of other measurements.
  replaceIn(join(project, "Pulumi.yaml"), "agentgraph-fleet", `agentgraph-${name}`);
  // The time that a check takes is that of the agent.
  replaceIn(join(project, "index.ts"), 'verify: [{ ask: { assistantId: "agent", input: hello } }],', "");
  if (provider === "native") {
    replaceIn(join(project, "index.ts"), '"pulumi-agentgraph"', '"pulumi-agentgraph/native"');
    const path = JSON.stringify(await ensureBundle());
    appendFileSync(join(project, "Pulumi.yaml"), `plugins: { providers: [{ name: agentgraph, path: ${path} }] }\n`);
  }
  return project;
}

/** Returns a fleet whose first group is the canary group. */
function fleetYaml(stacks: number, agents: number): string {
  const groups = Array.from({ length: stacks }, (_, index) => `group-${index}`);
  const members = groups.flatMap((group) => Array.from({ length: agents }, (_, index) => [group, `${group}-${index}`]));
  return [
    `images: { agent: ${OLD_IMAGE} }`,
    "stages: { staging: { minScale: 1, maxScale: 2, cpu: 0.5, memoryMb: 1024 } }",
    "teams: { support: { secret: support-agents } }",
    "groups:",
    ...groups.map((group, index) => `  ${group}: { wave: ${Math.min(index, 1)} }`),
    "agents:",
    ...members.map(([group, name]) => `  ${name}: { group: ${group}, team: support, image: agent }`),
  ].join("\n");
}

function replaceIn(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

async function measure(node: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Cost> {
  const [begin, processor] = [performance.now(), childSeconds()];
  const child = spawn(node, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  let [output, memory] = ["", 0];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
    memory = Math.max(memory, peakMemory(child.pid));
  });
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")} failed:\n${output}`);
  return { seconds: (performance.now() - begin) / 1000, processor: childSeconds() - processor, memory };
}

/** Returns the most memory that a process has used, in megabytes. */
function peakMemory(pid = 0): number {
  if (process.platform !== "linux") return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1000;
}
