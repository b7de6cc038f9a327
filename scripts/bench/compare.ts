/**
 * `npm run bench -- --scale` and `-- --fleet`: the steps of a stack's life with many deployments, compared with
 * resources that do nothing and with the native provider. Prints a table for each measurement.
 */
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { ensureBundle } from "../plugin/bundle.ts";
import { step } from "../setup/step.mjs";
import { median, table } from "./figures.ts";
import { writeFloor, writeNative } from "./programs.ts";
import type { Sandbox } from "./sandbox.ts";

interface Measurement {
  deployments: number;
  /** Milliseconds by which the emulator delays each request. */
  delay: number;
  rounds: number;
  /** Resources that the engine processes at once (default: 4 per core). */
  parallel?: number;
  subjects: string[];
}

const ENGINE = ["ours", "baseline"];
const PULUMI = ["ours", "baseline", "native"];

export const MEASUREMENTS: Record<"quick" | "scale" | "fleet", Measurement[]> = {
  quick: [{ deployments: 100, delay: 0, rounds: 1, subjects: PULUMI }],
  scale: [0, 150].flatMap((delay) =>
    [1, 10, 100].map((deployments) => ({ deployments, delay, rounds: 3, subjects: PULUMI })),
  ),
  fleet: [
    { deployments: 100, delay: 150, rounds: 3, parallel: 100, subjects: ENGINE },
    ...[250, 500].map((deployments) => ({ deployments, delay: 50, rounds: 1, parallel: 100, subjects: PULUMI })),
  ],
};

/** A step: the Pulumi command, and the number of sequential requests, each of which is delayed. */
const STEPS: Record<string, { command: string[]; requests: (deployments: number, parallel: number) => number }> = {
  // A resource needs its own request and one poll.
  up: { command: ["up", "--yes", "--skip-preview"], requests: (n, parallel) => 1 + 2 * Math.ceil(n / parallel) },
  preview: { command: ["preview", "--expect-no-changes"], requests: () => 0 },
  "no-op up": { command: ["up", "--yes", "--skip-preview", "--expect-no-changes"], requests: () => 0 },
  refresh: { command: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"], requests: pages },
  destroy: {
    command: ["destroy", "--yes", "--skip-preview"],
    // The polls that find that they are gone are sent with the deletions.
    requests: (n, parallel) => pages(n) + Math.ceil(n / parallel),
  },
};

/** Returns the number of pages of a list, which are read in sequence: after a full page, another one may follow. */
function pages(deployments: number): number {
  return Math.floor(deployments / 100) + 1;
}

interface Cost {
  seconds: number;
  /** Processor seconds of the command with all its child processes. */
  processor: number;
  requests: number;
}

interface Subject {
  name: string;
  emulator: string;
  run: (step: string) => Promise<unknown>;
  state: string;
  costs: Map<string, Cost[]>;
  bytes: number;
}

/** Runs measurements and prints their tables. */
export async function compare(sandbox: Sandbox, measurements: Measurement[]): Promise<void> {
  const programs = {
    ours: sandbox.program,
    baseline: await writeFloor(join(sandbox.folder, "floor")),
    native: await writeNative(join(sandbox.folder, "native"), await ensureBundle()),
  };
  for (const [index, measurement] of measurements.entries()) {
    const { deployments, delay, parallel, subjects } = measurement;
    const options = parallel ? ["--parallel", String(parallel)] : [];
    const prepared: Subject[] = [];
    for (const name of subjects) {
      // One each, since all create deployments of the same names.
      const emulator = await slowEmulator(sandbox, delay);
      const stack = `${name}-${index}`;
      const cli = await sandbox.stack(stack, emulator, deployments, programs[name as keyof typeof programs]);
      const run = (one: string) => cli(...(STEPS[one]?.command ?? []), ...options);
      const state = join(sandbox.folder, "state", ".pulumi", "stacks", "bench", `${stack}.json`);
      prepared.push({ name, emulator, run, state, costs: new Map(), bytes: 0 });
    }
    await step("Compare", `${deployments} deployments`, (now) => measureAll(prepared, measurement, now));
    print(prepared, measurement);
    for (const { emulator } of prepared) sandbox.stopEmulator(emulator);
  }
  console.log(METHOD);
  console.log(`Load at the end: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`);
}

/** Starts an emulator that delays each request by this many milliseconds. */
export async function slowEmulator(sandbox: Sandbox, delay: number): Promise<string> {
  const emulator = await sandbox.startEmulator("instant");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ delay_ms: delay, times: 1e9 });
  if (delay > 0) await fetch(`${emulator}/_emulator/faults`, { method: "POST", headers, body });
  return emulator;
}

/** Runs each step for all subjects in turn, so that other load of the machine affects all of them. */
async function measureAll(subjects: Subject[], { rounds }: Measurement, now: (status: string) => void): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    for (const name of Object.keys(STEPS)) {
      for (const subject of subjects) {
        now(`round ${round}, ${name}, ${subject.name}`);
        const cost = await measure(subject, name);
        subject.costs.set(name, [...(subject.costs.get(name) ?? []), cost]);
        if (name === "up") subject.bytes = JSON.stringify(JSON.parse(readFileSync(subject.state, "utf8"))).length;
      }
    }
  }
}

async function measure({ emulator, run }: Subject, name: string): Promise<Cost> {
  await fetch(`${emulator}/_emulator/request-log`, { method: "DELETE" });
  const [begin, processor] = [performance.now(), childSeconds()];
  await run(name);
  const cost = { seconds: (performance.now() - begin) / 1000, processor: childSeconds() - processor };
  const { count } = (await (await fetch(`${emulator}/_emulator/request-log`)).json()) as { count: number };
  return { ...cost, requests: count };
}

/** Returns the processor seconds of all ended child processes, with those of their own children. Linux only. */
export function childSeconds(): number {
  const fields = process.platform === "linux" ? readFileSync("/proc/self/stat", "utf8").split(") ").pop() : "";
  const [user = 0, system = 0] = (fields ?? "").split(" ").slice(13, 15).map(Number);
  return (user + system) / 100;
}

function print(
  subjects: Subject[],
  { deployments, delay, rounds, parallel = 4 * availableParallelism() }: Measurement,
) {
  const rows = Object.entries(STEPS).map(([name, { requests }]) => {
    const floor = seconds(
      subjects.find((subject) => subject.name === "baseline"),
      name,
    );
    const allowed = 1.15 * floor + (requests(deployments, parallel) * delay) / 1000;
    const missed = seconds(subjects[0], name) > allowed ? " MISSED" : "";
    return [name, ...subjects.map(({ costs }) => describe(costs.get(name) ?? [])), `${allowed.toFixed(1)}${missed}`];
  });
  console.log(`\n${deployments} deployments, ${delay} ms for each request, ${parallel} at once, median of ${rounds}`);
  table([["Step", ...subjects.map(({ name }) => name), "allowed s"], ...rows]);
  console.log(`State, bytes: ${subjects.map(({ name, bytes }) => `${name} ${bytes}`).join(", ")}`);
}

const seconds = (subject: Subject | undefined, name: string): number =>
  median((subject?.costs.get(name) ?? []).map((cost) => cost.seconds));

function describe(costs: Cost[]): string {
  const of = (key: keyof Cost, digits: number) => median(costs.map((cost) => cost[key])).toFixed(digits);
  return `${of("seconds", 1)} s, ${of("processor", 1)} CPU, ${of("requests", 0)} req`;
}

const METHOD = `
Seconds: wall clock of the whole command; CPU: its processor seconds with all child processes.
req: requests to the emulator.
Baseline: as many dynamic resources with a similar stub and the same arguments, whose operations do nothing.
Native: the same program with pulumi-agentgraph/native.
Allowed: 1.15 times the baseline, plus the delay of each request that must follow another.`;
