import type { Clock } from "../../../provider/http/clock";

/** The initial time of every test clock. */
export const START_TIME = Date.parse("2026-03-01T00:00:00Z");

/** A clock that jumps to the earliest sleeper as soon as the program is idle, so that tests do not wait. */
export class TestClock implements Clock {
  private time = START_TIME;
  /** By time, and those of the same time in the order of their calls. */
  private readonly sleepers: { at: number; wake: () => void }[] = [];
  private isPaused = false;
  private onSleep = () => {};

  private offsetMs = 0;

  now(): number {
    return this.time + this.offsetMs;
  }

  /** Shifts the wall clock by milliseconds, as a synchronization does, without waking sleepers. */
  shiftWallClock(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }

  monotonic(): number {
    return this.time;
  }

  /** Milliseconds since the initial time. */
  get elapsedMs(): number {
    return this.time - START_TIME;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      const at = this.time + milliseconds;
      this.sleepers.splice(this.indexAfter(at), 0, { at, wake });
      this.onSleep();
      this.scheduleWake();
    });
  }

  /** Real time, because the server of a request is real. */
  deadline(milliseconds: number): AbortSignal {
    return AbortSignal.timeout(milliseconds);
  }

  /** Keeps sleepers asleep until `resume`. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.scheduleWake();
  }

  /** Advances the time and wakes the sleepers that are due. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    this.wakeDue();
  }

  /** Waits until this many sleepers wait at once. */
  waitForSleepers(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.onSleep = () => this.sleepers.length >= count && resolve();
      this.onSleep();
    });
  }

  private scheduleWake(): void {
    setImmediate(() => {
      const [earliest] = this.sleepers;
      if (this.isPaused || !earliest) return;
      this.time = Math.max(this.time, earliest.at);
      this.wakeDue();
    });
  }

  private wakeDue(): void {
    for (const { wake } of this.sleepers.splice(0, this.indexAfter(this.time))) wake();
    if (this.sleepers.length > 0) this.scheduleWake();
  }

  /** Returns the number of sleepers that wake no later than this. */
  private indexAfter(time: number): number {
    let [low, high] = [0, this.sleepers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sleepers[middle]?.at ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
