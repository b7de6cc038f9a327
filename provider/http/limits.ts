/** The limits that all clients of one server share. */
import type { Clock } from "./clock";
import { ConcurrencyLimiter } from "./concurrency-limiter";
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
