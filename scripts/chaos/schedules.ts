/**
 * `npm run chaos`: runs random schedules of commands, faults and deaths of the process, or with `--engine` kills
 * processes of the real engine, and the emulator, at random moments.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { show } from "../setup/run.mjs";
import { duration } from "../setup/step.mjs";
import type { OptionsOf } from "../tools/options.ts";

export const usage = {
  command: "npm run chaos",
  summary: "Runs random schedules of commands, faults and deaths of the process, and checks what must hold afterwards.",
  options: {
    seconds: { type: "string", form: "N", meaning: "start nothing after this time (default: 60; of --engine, 7200)" },
    seed: { type: "string", form: "S", meaning: "the first seed; each stands for 20 schedules (default: 1)" },
    processes: { type: "string", form: "N", meaning: "how many run at the same time (default: one per core)" },
    "keep-going": { type: "boolean", meaning: "run further seeds after a failure" },
    engine: { type: "boolean", meaning: "kill the real Pulumi CLI, its providers and the emulator instead" },
    kills: { type: "string", form: "N", meaning: "how often --engine does so (default: 200)" },
  },
} as const;

/** What a worker prints for a seed. */
interface SeedResult {
  seed: number;
  counts: Record<string, number>;
  failure?: string;
}

export async function main(options: OptionsOf<typeof usage>) {
  if (options.engine) return killEngine(options);
  const [seconds, seed, processes] = [
    naturalNumber("seconds", options.seconds ?? "60"),
    naturalNumber("seed", options.seed ?? "1"),
    naturalNumber("processes", options.processes ?? String(availableParallelism())),
  ];
  const { env } = await ready({ cli: false });
  console.log(`Random schedules from seed ${seed} on, for ${seconds} s in ${processes} processes`);
  const [totals, begin]: [Record<string, number>, number] = [{ failures: 0 }, Date.now()];
  const add = ({ seed, counts, failure }: SeedResult) => {
    for (const [name, count] of Object.entries({ ...counts, failures: failure === undefined ? 0 : 1 }))
      totals[name] = (totals[name] ?? 0) + count;
    const sums = Object.entries(totals).map(([name, count]) => `${count.toLocaleString("en-US")} ${name}`);
    console.log(`${duration(Date.now() - begin)}, seed ${seed}: ${sums.join(", ")}`);
    if (failure !== undefined) console.log(`\n${failure}\n`);
  };
  const workers = Array.from({ length: processes }, (_, index) => {
    const variables = { CHAOS_SEED: seed + index, CHAOS_STEP: processes, CHAOS_SECONDS: seconds };
    return runWorker(env, { ...variables, ...(options["keep-going"] && { CHAOS_KEEP_GOING: 1 }) }, add);
  });
  await Promise.all(workers);
  return totals.failures === 0 ? 0 : 1;
}

async function killEngine({ kills = "200", seconds = "7200", seed = "1" }: OptionsOf<typeof usage>) {
  const { env } = await ready();
  const variables = { ...env, KILLS_COUNT: kills, KILLS_SECONDS: seconds, KILLS_SEED: seed };
  return show("npx", ["jest", "test/e2e/kills/kills.release.test.ts"], { env: variables });
}

/** Runs seeds in a process for a time, or until one fails. @throws Problem if it failed without a result */
async function runWorker(env: NodeJS.ProcessEnv, variables: object, add: (result: SeedResult) => void) {
  const texts = Object.entries(variables).map(([name, value]) => [name, String(value)]);
  const child = spawn("npx", ["jest", "test/chaos/chaos.release.test.ts"], {
    cwd: ROOT,
    env: { ...env, ...Object.fromEntries(texts) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [errors, end] = [text(child.stderr), once(child, "close")];
  let hasFailedSeed = false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    const result: SeedResult = JSON.parse(line);
    hasFailedSeed ||= result.failure !== undefined;
    add(result);
  }
  await end;
  if (child.exitCode !== 0 && !hasFailedSeed) throw new Problem("A process failed. See above.", await errors);
}

function naturalNumber(name: string, text: string) {
  if (!/^[1-9]\d*$/.test(text)) throw new Problem(`--${name} must be a whole number above 0, not ${text}.`);
  return Number(text);
}
