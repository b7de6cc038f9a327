import type { Clock } from "../../provider/http/clock";

/** Where every test clock begins. */
export const BEGIN = Date.parse("2026-03-01T00:00:00Z");

/** A clock that nobody waits for: it jumps to the earliest sleeper as soon as the program has nothing else to do. */
export class TestClock implements Clock {
  private time = BEGIN;
  private sleepers: { at: number; wake: () => void }[] = [];
  private held = false;
  private onSleep = () => {};

  private offset = 0;

  now(): number {
    return this.time + this.offset;
  }

  /** Sets the wall clock by so much, as a first synchronization does; nobody has waited. Milliseconds. */
  jump(milliseconds: number): void {
    this.offset += milliseconds;
  }

  monotonic(): number {
    return this.time;
  }

  /** Milliseconds since the clock began. */
  get elapsed(): number {
    return this.time - BEGIN;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.time + milliseconds, wake });
      this.onSleep();
      this.later();
    });
  }

  /** The other end of a request is real, and so is the time that it takes. */
  deadline(milliseconds: number): AbortSignal {
    return AbortSignal.timeout(milliseconds);
  }

  /** From now on sleepers sleep until `release`. */
  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    this.later();
  }

  /** Moves the time; what is due by then wakes. */
  pass(milliseconds: number): void {
    this.time += milliseconds;
    this.wakeDue();
  }

  /** Until this many sleep at once. */
  asleep(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.onSleep = () => this.sleepers.length >= count && resolve();
      this.onSleep();
    });
  }

  private later(): void {
    setImmediate(() => {
      const [earliest] = this.sleepers.toSorted((a, b) => a.at - b.at);
      if (this.held || !earliest) return;
      this.time = Math.max(this.time, earliest.at);
      this.wakeDue();
    });
  }

  private wakeDue(): void {
    const due = this.sleepers.filter(({ at }) => at <= this.time);
    this.sleepers = this.sleepers.filter(({ at }) => at > this.time);
    for (const { wake } of due) wake();
    if (this.sleepers.length > 0) this.later();
  }
}
