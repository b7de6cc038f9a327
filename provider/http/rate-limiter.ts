/** A token bucket per server and process, with a pause that all requests share after a 429. */
import type { Clock } from "./clock";

/** The burst, in seconds' worth of requests: enough for two requests for each of a hundred resources at the default rate. */
const BURST_SECONDS = 10;

export class RateLimiter {
  private readonly clock: Clock;
  private readonly intervalMs: number;
  private readonly burst: number;
  /** When the bucket is full again: the whole state of a token bucket in one number (GCRA). */
  private fullAt = 0;
  private pausedUntil = 0;

  /** @param requestsPerSecond The average rate over ten seconds and more. */
  constructor(clock: Clock, requestsPerSecond: number) {
    this.clock = clock;
    this.intervalMs = 1000 / requestsPerSecond;
    this.burst = Math.max(1, requestsPerSecond * BURST_SECONDS);
  }

  /** Waits until the next request may be sent. */
  async acquire(): Promise<void> {
    const now = this.clock.monotonic();
    this.fullAt = Math.max(this.fullAt, now) + this.intervalMs;
    const startAt = this.fullAt - this.burst * this.intervalMs;
    if (startAt > now) await this.clock.sleep(startAt - now);
    while (this.pausedUntil > this.clock.monotonic()) await this.clock.sleep(this.pausedUntil - this.clock.monotonic());
  }

  /** Pauses all requests to the server, as after a 429. */
  pauseFor(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.monotonic() + milliseconds);
  }
}
