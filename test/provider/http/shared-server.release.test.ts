/** Every number of processes at servers of every speed. */
import { expectFairShare, simulate } from "../../support/shared-server";

const SPEEDS = [5, 10, 20, 50, 100, 200];
const PROCESSES = Array.from({ length: 20 }, (_, index) => index + 1);

it.each(SPEEDS)(
  "1 to 20 processes at a server of %p requests a second finish, use its rate, and none waits for the others",
  async (perSecond) => {
    for (const processes of PROCESSES)
      for (const retryAfter of [undefined, 1000])
        for (const seed of [1, 2]) expectFairShare(await simulate({ processes, perSecond, retryAfter, seed }));
  },
  480_000,
);

it.each(SPEEDS)(
  "Processes that start one after the other are no exception, at %p requests a second",
  async (perSecond) => {
    for (const processes of [2, 5, 10, 20]) {
      const scenario = { processes, perSecond, startWithin: 20_000 };
      for (const retryAfter of [undefined, 1000]) expectFairShare(await simulate({ ...scenario, retryAfter }));
    }
  },
);

it.each(SPEEDS)(
  "All obey a Retry-After that is longer than necessary, and still finish, at %p requests a second",
  async (perSecond) => {
    for (const processes of [1, 5, 20])
      expect(await simulate({ processes, perSecond, retryAfter: 5000 })).toMatchObject({ failed: 0, early: 0 });
  },
);
