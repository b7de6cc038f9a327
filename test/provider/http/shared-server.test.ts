/**
 * A simulation in virtual time: several processes, each with a rate limiter, send requests to a server that limits the
 * rate of all.
 */
import { HttpError } from "../../../provider/http/errors";
import { RateLimiter } from "../../../provider/http/limits";
import { defaultRetry, RetryBudget } from "../../../provider/http/retry";
import { TestClock } from "../../support/time/clock";

interface Scenario {
  processes: number;
  /** How many requests the server accepts in a second, from all processes together. */
  perSecond: number;
  /** Retry-After of a rejection in milliseconds, if the server sends it. */
  retryAfter?: number | undefined;
  /** How long the processes take to start, one after the other, in milliseconds. */
  startWithin?: number;
  seed?: number;
}

interface Outcome {
  /** When each process had finished, in milliseconds after its start. */
  durations: number[];
  /** The share of the accepted requests in those that the server would have accepted while a process ran. */
  utilization: number;
  /** The share of the rejected requests in those that were sent. */
  rejected: number;
  /** Requests that were given up. */
  failed: number;
  /** Requests that a process sent while a Retry-After told it to wait. */
  early: number;
}

/**
 * What docs/fleets.md promises: all requests succeed, the rate is used, no process is starved, and Retry-After is
 * obeyed.
 */
function expectFairShare({ durations, utilization, failed, early }: Outcome): void {
  const sorted = durations.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  expect({ failed, early }).toEqual({ failed: 0, early: 0 });
  expect(utilization).toBeGreaterThan(0.8);
  expect(sorted.at(-1)).toBeLessThan(5 * median);
}

const LATENCY_MS = 50;
/** A run lasts at least so long, unless the processes are few. */
const SECONDS = 60;
const MIN_REQUESTS = 50;

/** Returns numbers from 0 to 1 that depend only on the seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A token bucket that holds the requests of one second. */
function openServer(clock: TestClock, perSecond: number) {
  let [tokens, refilledAt] = [perSecond, 0];
  return function isAccepted(): boolean {
    tokens = Math.min(perSecond, tokens + ((clock.elapsedMs - refilledAt) * perSecond) / 1000);
    refilledAt = clock.elapsedMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

async function simulate(scenario: Scenario): Promise<Outcome> {
  const { processes, perSecond, retryAfter, startWithin = 0, seed = 1 } = scenario;
  const [clock, random] = [new TestClock(), randomNumbers(seed)];
  const isAccepted = openServer(clock, perSecond);
  const requests = Math.max(MIN_REQUESTS, Math.ceil((perSecond * SECONDS) / processes));
  let [accepted, rejected, failed, early] = [0, 0, 0, 0];
  /** How many processes run, and how long at least one did. */
  let [running, busySince, busyMs] = [0, 0, 0];

  /** What HttpClient.send does, with the same limiter and delays. */
  async function send(limiter: RateLimiter, pause: { until: number }): Promise<void> {
    const budget = new RetryBudget(defaultRetry);
    for (;;) {
      const turn = await limiter.acquire();
      if (clock.elapsedMs < pause.until) early += 1;
      await clock.sleep(LATENCY_MS / 2);
      const isFine = isAccepted();
      await clock.sleep(LATENCY_MS / 2);
      if (isFine) {
        accepted += 1;
        return;
      }
      rejected += 1;
      const error = new HttpError({ method: "GET", path: "/", status: 429, detail: "" });
      const delay = budget.next(error, retryAfter, random());
      if (delay === undefined) {
        failed += 1;
        return;
      }
      if (retryAfter !== undefined) pause.until = Math.max(pause.until, clock.elapsedMs + retryAfter);
      limiter.backOff(turn, delay);
    }
  }

  async function runProcess(): Promise<number> {
    await clock.sleep(random() * startWithin);
    const [begin, limiter, pause] = [clock.elapsedMs, new RateLimiter(clock), { until: 0 }];
    if (running++ === 0) busySince = begin;
    await Promise.all(Array.from({ length: requests }, () => send(limiter, pause)));
    if (--running === 0) busyMs += clock.elapsedMs - busySince;
    return clock.elapsedMs - begin;
  }

  const durations = await Promise.all(Array.from({ length: processes }, runProcess));
  const possible = (perSecond * busyMs) / 1000;
  return { durations, utilization: accepted / possible, rejected: rejected / (accepted + rejected), failed, early };
}

it.each([
  { processes: 1, perSecond: 5 },
  { processes: 1, perSecond: 200 },
  { processes: 5, perSecond: 20 },
  { processes: 20, perSecond: 5 },
  { processes: 20, perSecond: 200 },
  { processes: 20, perSecond: 20, startWithin: 20_000 },
])(
  "$processes processes at a server of $perSecond requests a second use its rate, and none waits for others",
  async (scenario) => {
    for (const retryAfter of [undefined, 1000]) expectFairShare(await simulate({ ...scenario, retryAfter }));
  },
);

it("All obey a Retry-After that is longer than necessary, and still finish", async () => {
  expect(await simulate({ processes: 5, perSecond: 20, retryAfter: 5000 })).toMatchObject({ failed: 0, early: 0 });
});
