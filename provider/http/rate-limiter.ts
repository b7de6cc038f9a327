/** One budget per server and process: a rate, and a pause that all requests share after a 429. */
import type { Clock } from "./clock";

/** So many seconds' worth may go at once: two requests for each of a hundred resources, and a run is over. */
const BURST_SECONDS = 10;

export class RateLimiter {
  private readonly clock: Clock;
  private readonly intervalMs: number;
  private readonly burst: number;
  /** When the bucket would be full again: the whole state of a token bucket in one number (GCRA). */
  private fullAt = 0;
  private pausedUntil = 0;

  /** @param requestsPerSecond Requests a second on average, over ten seconds and more. */
  constructor(clock: Clock, requestsPerSecond: number) {
    this.clock = clock;
    this.intervalMs = 1000 / requestsPerSecond;
    this.burst = Math.max(1, requestsPerSecond * BURST_SECONDS);
  }

  /** Waits until the next request may go. */
  async acquire(): Promise<void> {
    const now = this.clock.monotonic();
    this.fullAt = Math.max(this.fullAt, now) + this.intervalMs;
    const startAt = this.fullAt - this.burst * this.intervalMs;
    if (startAt > now) await this.clock.sleep(startAt - now);
    while (this.pausedUntil > this.clock.monotonic()) await this.clock.sleep(this.pausedUntil - this.clock.monotonic());
  }

  /** After a 429 nobody asks again before this many milliseconds have passed. */
  pauseFor(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.monotonic() + milliseconds);
  }
}
