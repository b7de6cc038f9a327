import fc from "fast-check";
import { RateLimiter } from "../../../provider/http/limits";
import { TestClock } from "../../support/time/clock";

/** A limiter with this upper bound, and a function that returns the moments at which so many requests may be sent. */
function openLimiter(perSecond?: number) {
  const clock = new TestClock();
  const limiter = new RateLimiter(clock, perSecond);
  const turns = (count: number) =>
    Promise.all(Array.from({ length: count }, () => limiter.acquire().then(() => clock.elapsedMs)));
  return { clock, limiter, turns };
}

it("The rate limiter without a bound admits two requests for each of a hundred resources at once", async () => {
  expect(new Set(await openLimiter().turns(200))).toEqual(new Set([0]));
});

it("The rate limiter with a bound admits one second's worth at once, and the rest at that rate", async () => {
  expect((await openLimiter(4).turns(8)).map(Math.round)).toEqual([0, 0, 0, 0, 250, 500, 750, 1000]);
});

it("The rate limiter supports a bound of less than one request per second", async () => {
  expect((await openLimiter(0.1).turns(3)).map(Math.round)).toEqual([0, 10_000, 20_000]);
});

it("The rate limiter never exceeds its bound, apart from one second's worth, however long it is busy", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 400 }), async (perSecond, count) => {
      const moments = await openLimiter(perSecond).turns(count);
      for (const from of moments) {
        const sent = moments.filter((at) => at >= from && at < from + 10_000).length;
        expect(sent).toBeLessThanOrEqual(11 * perSecond);
      }
    }),
    { numRuns: 30 },
  );
});

it("The rate limiter admits requests in the order in which they asked", async () => {
  const { limiter } = openLimiter(2);
  const order: number[] = [];
  await Promise.all(Array.from({ length: 9 }, (_, n) => limiter.acquire().then(() => order.push(n))));
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

it("The rate limiter admits nothing during a pause, and a shorter pause does not end a longer one", async () => {
  const { clock, limiter, turns } = openLimiter(100);
  const turn = await limiter.acquire();
  limiter.backOff(turn, 9000);
  limiter.backOff(turn, 1000);
  await turns(2);
  expect(clock.elapsedMs).toBeGreaterThanOrEqual(9000);
});

it("The rate limiter respects a pause that begins while a request waits", async () => {
  const { clock, limiter } = openLimiter(0.1);
  clock.pause();
  const turn = await limiter.acquire();
  const second = limiter.acquire();
  limiter.backOff(turn, 20_000);
  clock.resume();
  await second;
  expect(clock.elapsedMs).toBeGreaterThanOrEqual(20_000);
});

it("The rate limiter spaces requests that waited for the end of a pause", async () => {
  const { limiter, turns } = openLimiter(10);
  limiter.backOff(await limiter.acquire(), 5000);
  const [first = 0, second = 0, third = 0] = await turns(3);
  expect(first).toBeGreaterThanOrEqual(5000);
  expect(Math.min(second - first, third - second)).toBeGreaterThan(100);
});

it("The rate limiter reduces the rate once for all the 429 responses of one burst", async () => {
  const { limiter, turns } = openLimiter(40);
  const burst = await Promise.all(Array.from({ length: 40 }, () => limiter.acquire()));
  for (const turn of burst) limiter.backOff(turn, 0);
  const [first = 0, second = 0] = await turns(2);
  expect(Math.round(1000 / (second - first))).toBe(28);
});

it("The rate limiter raises a reduced rate again while requests wait, up to the bound", async () => {
  const { limiter, turns } = openLimiter(40);
  for (let n = 0; n < 6; n++) limiter.backOff(await limiter.acquire(), 0);
  const moments = await turns(3000);
  const sentAfter = (seconds: number) => moments.filter((at) => Math.floor(at / 1000) === seconds).length;
  expect(sentAfter(0)).toBeLessThan(7);
  expect(sentAfter(15)).toBeGreaterThan(sentAfter(0));
  expect([sentAfter(45), sentAfter(50)]).toEqual([40, 40]);
});

it("The rate limiter without a bound raises the rate above the first one while requests wait", async () => {
  const moments = await openLimiter().turns(10_000);
  expect(moments.filter((at) => at >= 20_000 && at < 21_000).length).toBeGreaterThan(
    moments.filter((at) => at >= 1000 && at < 2000).length,
  );
});
