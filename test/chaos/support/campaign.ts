import fc from "fast-check";
import { schedules } from "./program/arbitraries";
import { runSchedule, type ScheduleCounts } from "./run-schedule";

/** Schedules of one seed. */
const SCHEDULES_PER_SEED = 20;
/** How long the schedules of a seed may take, with the search for a smaller one that fails, on a busy machine. */
const TIMEOUT_MS = 300_000;
/** How long the search for a smaller schedule that fails may take. */
const SHRINK_MS = 180_000;

export interface SeedResult {
  seed: number;
  /** What was run without a failure. */
  counts: ScheduleCounts & { schedules: number };
  /** The smallest schedule that fails, as a test, with its log. */
  failure?: string;
}

/** Runs the schedules of a seed until one fails, which is then shrunk. */
export async function runSeed(seed: number, numRuns = SCHEDULES_PER_SEED): Promise<SeedResult> {
  const counts = { schedules: 0, services: 0, requests: 0, commands: 0, faults: 0, deaths: 0 };
  const counted = fc.asyncProperty(schedules, async (schedule) => {
    const result = await runSchedule(schedule);
    counts.schedules += 1;
    for (const key of ["services", "requests", "commands", "faults", "deaths"] as const) counts[key] += result[key];
  });
  const options = { seed, numRuns };
  const { failed, counterexamplePath, errorInstance } = await fc.check(counted, { ...options, endOnFailure: true });
  if (!failed) return { seed, counts };
  const uncounted = fc.asyncProperty(schedules, async (schedule) => void (await runSchedule(schedule)));
  const shrunk = await fc.check(uncounted, {
    ...options,
    path: counterexamplePath ?? "",
    interruptAfterTimeLimit: SHRINK_MS,
  });
  const { message } = (shrunk.errorInstance ?? {}) as Partial<Error>;
  const first = (errorInstance as Partial<Error> | null)?.message;
  const text = message ?? `The failure did not occur again: it depends on time.\n${first}`;
  return { seed, counts, failure: `Seed ${seed}, schedule ${counterexamplePath}:\n${text}` };
}

/**
 * Declares a test for each seed. Prints what is done, because many seeds take minutes.
 * @param numRuns Only so many schedules of each seed.
 */
export function testSeeds(first: number, last: number, numRuns?: number): void {
  const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  test.each(seeds)(
    "programs recover from the random schedules of seed %i",
    async (seed) => {
      const { failure } = await runSeed(seed, numRuns);
      if (failure !== undefined) throw new Error(failure);
      if (seed % 5 === 0)
        process.stdout.write(`Random schedules of the seeds ${first} to ${seed}, of ${last}: passed\n`);
    },
    TIMEOUT_MS,
  );
}
