import type { Clock } from "../../provider/http/clock";

/** Where every test clock begins. */
export const START_TIME = Date.parse("2026-03-01T00:00:00Z");

/** A clock that nobody waits for: it jumps to the earliest sleeper as soon as the program has nothing else to do. */
export class TestClock implements Clock {
  private time = START_TIME;
  private sleepers: { at: number; wake: () => void }[] = [];
  private isPaused = false;
  private onSleep = () => {};

  private offsetMs = 0;

  now(): number {
    return this.time + this.offsetMs;
  }

  /** Sets the wall clock by so much, as a first synchronization does; nobody has waited. Milliseconds. */
  shiftWallClock(milliseconds: number): void {
    this.offsetMs += milliseconds;
  }

  monotonic(): number {
    return this.time;
  }

  /** Milliseconds since the clock began. */
  get elapsedMs(): number {
    return this.time - START_TIME;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.time + milliseconds, wake });
      this.onSleep();
      this.scheduleWake();
    });
  }

  /** The other end of a request is real, and so is the time that it takes. */
  deadline(milliseconds: number): AbortSignal {
    return AbortSignal.timeout(milliseconds);
  }

  /** From now on sleepers sleep until `release`. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.scheduleWake();
  }

  /** Moves the time; what is due by then wakes. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    this.wakeDue();
  }

  /** Until this many sleep at once. */
  waitForSleepers(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.onSleep = () => this.sleepers.length >= count && resolve();
      this.onSleep();
    });
  }

  private scheduleWake(): void {
    setImmediate(() => {
      const [earliest] = this.sleepers.toSorted((a, b) => a.at - b.at);
      if (this.isPaused || !earliest) return;
      this.time = Math.max(this.time, earliest.at);
      this.wakeDue();
    });
  }

  private wakeDue(): void {
    const due = this.sleepers.filter(({ at }) => at <= this.time);
    this.sleepers = this.sleepers.filter(({ at }) => at > this.time);
    for (const { wake } of due) wake();
    if (this.sleepers.length > 0) this.scheduleWake();
  }
}
