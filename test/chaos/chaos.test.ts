/**
 * Random schedules of commands, faults, deaths and changes by others. Once the trouble ends and the advice of messages is
 * followed, everything is as declared, once, nothing of others is touched, and no secret was shown.
 * `npm run chaos -- --seconds N --seed S` runs more of them.
 */
import { World } from "./support/world";

const seconds = Number(process.env.CHAOS_SECONDS ?? 0);
const first = Number(process.env.CHAOS_SEED ?? 1);
const FIXED_SCHEDULES = 12;

async function schedule(seed: number): Promise<void> {
  const world = await World.start(seed);
  if (process.env.CHAOS_TRACE) world.trace = (line) => process.stderr.write(`${seed}: ${line}\n`);
  try {
    await world.disturb(3 + (seed % 8));
    await world.recover();
    await world.verify();
    await world.verifyDestroy();
  } catch (error) {
    const { message, stack } = error as Error;
    throw new Error(`seed ${seed}: ${message}\n\nThe schedule:\n${world.log.join("\n")}\n\n${stack}`);
  }
}

if (seconds === 0) {
  const seeds = Array.from({ length: FIXED_SCHEDULES }, (_, index) => first + index);
  test.each(seeds)("a program recovers from the random schedule of seed %i", (seed) => schedule(seed), 60_000);
} else {
  test(
    "programs recover from random schedules",
    async () => {
      const end = Date.now() + seconds * 1000;
      const failed: string[] = [];
      let seed = first;
      for (; Date.now() < end; seed++) await schedule(seed).catch((error: Error) => failed.push(error.message));
      process.stdout.write(`${seed - first} schedules from seed ${first} on, ${failed.length} failed.\n`);
      if (failed.length > 0) throw new Error(failed.join("\n\n----------\n\n"));
    },
    seconds * 1000 + 120_000,
  );
}
