/** The limits that all clients of one server share. */
import type { Clock } from "./clock";
import { RateLimiter } from "./rate-limiter";

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
