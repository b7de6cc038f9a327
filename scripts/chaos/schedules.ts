/** `npm run chaos -- --seconds N --seed S`: runs random schedules of commands, faults and deaths of the process. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import type { OptionsOf } from "../tools/options.ts";

export const usage = {
  command: "npm run chaos",
  summary: "Runs random schedules of commands, faults and deaths of the process, and checks what must hold afterwards.",
  options: {
    seconds: { type: "string", form: "N", meaning: "start no seed after this time (default: 60)" },
    seed: { type: "string", form: "S", meaning: "the first seed; each stands for 20 schedules (default: 1)" },
    processes: { type: "string", form: "N", meaning: "how many run at the same time (default: one per core)" },
    "keep-going": { type: "boolean", meaning: "run further seeds after a failure" },
    engine: { type: "boolean", meaning: "kill processes of the real engine instead; see --engine --help" },
  },
} as const;

/** What a worker prints for a seed. */
interface SeedResult {
  seed: number;
  counts: Record<string, number>;
  failure?: string;
}

const PROGRESS_MS = 10_000;

export async function main(options: OptionsOf<typeof usage>) {
  const [seconds, seed, processes] = [
    naturalNumber("seconds", options.seconds ?? "60"),
    naturalNumber("seed", options.seed ?? "1"),
    naturalNumber("processes", options.processes ?? String(availableParallelism())),
  ];
  const tools = await ready({ cli: false });
  const campaign = new Campaign(seed);
  console.log(`Random schedules from seed ${seed} on, for ${seconds} s in ${processes} processes`);
  const progress = setInterval(() => campaign.printProgress(), PROGRESS_MS);
  const workers = Array.from({ length: processes }, (_, index) => {
    const variables = { CHAOS_SEED: seed + index, CHAOS_STEP: processes, CHAOS_SECONDS: seconds };
    return runWorker(tools, { ...variables, ...(options["keep-going"] && { CHAOS_KEEP_GOING: 1 }) }, campaign);
  });
  const outputs = await Promise.all(workers);
  clearInterval(progress);
  console.log(campaign.summary());
  const broken = outputs.find((output) => output !== undefined);
  if (broken !== undefined) throw new Problem("A process failed. See above.", broken);
  return campaign.failureCount > 0 ? 1 : 0;
}

/** What all processes have done. */
class Campaign {
  failureCount = 0;
  counts: Record<string, number> = { schedules: 0, services: 0, commands: 0, requests: 0, faults: 0, deaths: 0 };
  lastSeed: number;
  start = Date.now();
  hasProgress = false;

  constructor(seed: number) {
    this.lastSeed = seed;
  }

  add({ seed, counts, failure }: SeedResult) {
    this.lastSeed = Math.max(this.lastSeed, seed);
    for (const [name, count] of Object.entries(counts)) this.counts[name] = (this.counts[name] ?? 0) + count;
    this.hasProgress = true;
    if (failure === undefined) return;
    this.failureCount += 1;
    console.log(`\n${failure}\n`);
  }

  /** Prints a line if a seed was completed since the last one. */
  printProgress() {
    if (this.hasProgress) console.log(this.summary());
    this.hasProgress = false;
  }

  summary() {
    const counts = Object.entries(this.counts).map(([name, count]) => `${count.toLocaleString("en-US")} ${name}`);
    const seconds = Math.round((Date.now() - this.start) / 1000);
    return `${seconds} s, up to seed ${this.lastSeed}: ${counts.join(", ")}; ${this.failureCount} failures`;
  }
}

/** Runs seeds in a process for a time, or until one fails. Returns its output if it failed without a result. */
function runWorker(
  { env }: { env: NodeJS.ProcessEnv },
  variables: Record<string, number>,
  campaign: Campaign,
): Promise<string | undefined> {
  const child = spawn("npx", ["jest", "test/chaos/chaos.release.test.ts"], {
    cwd: ROOT,
    env: { ...env, ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)])) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  let hasFailedSeed = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const result: SeedResult = JSON.parse(line);
    hasFailedSeed ||= result.failure !== undefined;
    campaign.add(result);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve(code === 0 || hasFailedSeed ? undefined : output));
  });
}

function naturalNumber(name: string, text: string) {
  if (!/^[1-9]\d*$/.test(text)) throw new Problem(`--${name} must be a whole number above 0, not ${text}.`);
  return Number(text);
}
