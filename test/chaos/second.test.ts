/** More schedules like those of chaos.test.ts, so that two processes share them. */
import { runSeed } from "./support/campaign";

test.each([6, 7, 8, 9, 10])(
  "programs recover from the random schedules of seed %i",
  async (seed) => {
    const { failure } = await runSeed(seed);
    if (failure !== undefined) throw new Error(failure);
  },
  300_000,
);
