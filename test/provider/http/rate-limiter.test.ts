import fc from "fast-check";
import { RateLimiter } from "../../../provider/http/rate-limiter";
import { START_TIME, TestClock } from "../../support/clock";

/** The moments, in milliseconds since the beginning, at which so many requests may go. */
async function turns(perSecond: number, count: number): Promise<number[]> {
  const clock = new TestClock();
  const budget = new RateLimiter(clock, perSecond);
  return Promise.all(Array.from({ length: count }, () => budget.acquire().then(() => clock.now() - START_TIME)));
}

it("The rate limiter admits ten seconds' worth at once, and the rest at the rate", async () => {
  expect(await turns(0.4, 8)).toEqual([0, 0, 0, 0, 2500, 5000, 7500, 10_000]);
});

it("The rate limiter supports less than one request per second", async () => {
  expect(await turns(0.1, 3)).toEqual([0, 10_000, 20_000]);
});

it("The rate limiter never admits more than twice its burst within ten seconds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 400 }), async (perSecond, count) => {
      const moments = await turns(perSecond, count);
      for (const from of moments) {
        expect(moments.filter((at) => at >= from && at < from + 10_000).length).toBeLessThanOrEqual(20 * perSecond);
      }
    }),
    { numRuns: 30 },
  );
});

it("The rate limiter admits a full burst again after a pause", async () => {
  const clock = new TestClock();
  const budget = new RateLimiter(clock, 3);
  for (let i = 0; i < 30; i++) await budget.acquire();
  clock.advance(10_000);
  const rested = clock.now();
  for (let i = 0; i < 30; i++) await budget.acquire();
  expect(clock.now()).toBe(rested);
});

it("The rate limiter admits nothing during a pause, and a shorter pause does not end a longer one", async () => {
  const clock = new TestClock();
  const budget = new RateLimiter(clock, 100);
  budget.pauseFor(9000);
  budget.pauseFor(1000);
  await Promise.all([budget.acquire(), budget.acquire()]);
  expect(clock.elapsedMs).toBe(9000);
});

it("The rate limiter respects a pause that begins while a request waits", async () => {
  const clock = new TestClock();
  const budget = new RateLimiter(clock, 0.1);
  clock.pause();
  await budget.acquire();
  const second = budget.acquire();
  budget.pauseFor(20_000);
  clock.resume();
  await second;
  expect(clock.elapsedMs).toBe(20_000);
});
