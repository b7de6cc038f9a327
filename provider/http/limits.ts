/** The limits of one server, which clients share. */
import type { Clock } from "./clock";

export interface Limits {
  rateLimiter: RateLimiter;
  concurrency: ConcurrencyLimiter;
}

export interface LimitOptions {
  clock: Clock;
  /** The upper bound of the rate, which adapts to the server. Default: none. */
  requestsPerSecond?: number | undefined;
  maxConcurrentRequests: number;
}

export const createLimits = ({ clock, requestsPerSecond, maxConcurrentRequests }: LimitOptions): Limits => ({
  rateLimiter: new RateLimiter(clock, requestsPerSecond),
  concurrency: new ConcurrencyLimiter(maxConcurrentRequests),
});

/** Limits how many tasks run at once. Others wait here, before their request timeout starts. */
export class ConcurrencyLimiter {
  private readonly waiting: (() => void)[] = [];

  constructor(private available: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.available > 0) this.available -= 1;
    else await new Promise<void>((start) => this.waiting.push(start));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.available += 1;
    }
  }
}

/** The first rate: enough at once for two requests for each of a hundred resources. */
const FIRST_RATE = 200;
/** The lowest rate, so that it recovers in time. */
const MIN_RATE = 0.5;
/** What remains of the rate after a 429. */
const DECREASE = 0.7;
/** How much the rate rises per second in which requests wait, and from which rate on: lower ones in proportion. */
const INCREASE = 5;
const FULL_INCREASE_FROM = 40;

/** The precision of timers. A request that is admitted this early leaves a debt for the next one. */
const MIN_WAIT_MS = 1;

/** Identifies the rate at which a request was admitted. */
export type Turn = number;

/**
 * A token bucket per server and process whose rate adapts: it falls by 30 % after a 429 and rises again while requests
 * wait (additive increase, multiplicative decrease). After a 429, all requests to the server pause. With these numbers,
 * 1 to 20 processes that know nothing of each other use more than 80 % of a server's rate:
 * test/provider/http/shared-server.test.ts.
 */
export class RateLimiter {
  /** Requests per second, and the most that are admitted at once. */
  private rate: number;
  private tokens: number;
  private refilledAt: number;
  /** How often the rate was reduced: rejections of requests that were sent before the last time are no news. */
  private reductions = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** @param maxRate The upper bound of the rate, in requests per second. Default: none. */
  constructor(
    private readonly clock: Clock,
    private readonly maxRate = Number.POSITIVE_INFINITY,
  ) {
    this.rate = Math.min(FIRST_RATE, maxRate);
    this.tokens = Math.max(1, this.rate);
    this.refilledAt = clock.monotonic();
  }

  /** Waits until the next request may be sent, in the order of the calls. */
  acquire(): Promise<Turn> {
    const turn = this.last.then(async () => {
      let wait = this.refill();
      if (wait >= MIN_WAIT_MS) this.raise();
      for (; wait >= MIN_WAIT_MS; wait = this.refill()) await this.clock.sleep(wait);
      this.tokens -= 1;
      return this.reductions;
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Pauses all requests after a 429, and reduces the rate unless a 429 of the same burst did. */
  backOff(turn: Turn, milliseconds: number): void {
    this.refill();
    this.tokens = Math.min(this.tokens, 1);
    this.refilledAt = Math.max(this.refilledAt, this.clock.monotonic() + milliseconds);
    if (turn !== this.reductions) return;
    this.reductions += 1;
    this.rate = Math.max(this.rate * DECREASE, Math.min(MIN_RATE, this.maxRate));
  }

  /** Called once for each request that has to wait, and so as often in a second as the rate says. */
  private raise(): void {
    this.rate = Math.min(this.maxRate, this.rate + INCREASE / Math.max(this.rate, FULL_INCREASE_FROM));
  }

  /** Adds the tokens of the elapsed time. Returns the milliseconds until there is one; a pause ends in the future. */
  private refill(): number {
    const elapsed = this.clock.monotonic() - this.refilledAt;
    if (elapsed > 0) {
      this.tokens = Math.min(Math.max(1, this.rate), this.tokens + (elapsed * this.rate) / 1000);
      this.refilledAt += elapsed;
    }
    return (Math.max(0, 1 - this.tokens) * 1000) / this.rate + Math.max(0, -elapsed);
  }
}
