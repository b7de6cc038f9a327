/**
 * Random schedules of commands, faults, deaths and changes by others. Once the trouble ends and the advice of messages
 * is followed, everything is as declared, once, nothing of others is touched, and no secret was shown.
 *
 * `npm run test:release` runs 2,000 schedules: 1,000 here, and as many beside them in chaos-continued.release.test.ts.
 * `npm run chaos` runs this file in several processes until a time is over: one JSON line per seed on standard output.
 */
import { runSeed, testSeeds } from "./support/campaign";

const { CHAOS_SEED = "1", CHAOS_STEP = "1", CHAOS_SECONDS = "0", CHAOS_KEEP_GOING } = process.env;
const [first, step, seconds] = [CHAOS_SEED, CHAOS_STEP, CHAOS_SECONDS].map(Number) as [number, number, number];

if (seconds === 0) testSeeds(1, 50);
else
  test(
    "programs recover from random schedules until the time is over",
    async () => {
      const end = Date.now() + seconds * 1000;
      const failedSeeds: number[] = [];
      for (let seed = first; Date.now() < end; seed += step) {
        const result = await runSeed(seed);
        process.stdout.write(`${JSON.stringify(result)}\n`);
        if (result.failure === undefined) continue;
        failedSeeds.push(seed);
        if (CHAOS_KEEP_GOING === undefined) break;
      }
      expect(failedSeeds).toEqual([]);
    },
    seconds * 1000 + 600_000,
  );
