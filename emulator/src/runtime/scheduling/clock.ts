import type { ClockReading } from "../descriptions";
import type { Store } from "../storage/store";

/** The emulated time at one moment of real time; from there the clock runs at `rate` or is frozen. */
interface Anchor {
  at: number;
  real: number;
  frozen: boolean;
  rate: number;
}

/** The emulated time that all timestamps, the Date header and all jobs use. It never runs backwards. */
export class Clock {
  private anchor: Anchor;
  /** The due time of the running job. */
  private pinnedTime: number | undefined;

  constructor(
    private readonly store: Store,
    readonly speed: number | "instant",
  ) {
    const saved = store.get("SELECT value FROM state WHERE key = 'clock'");
    const real = Date.now();
    this.anchor = saved ? JSON.parse(String(saved.value)) : { at: real, real, frozen: false, rate: this.rate };
    // The clock also ran while the emulator was down, at its previous rate.
    this.moveTo(this.now(), this.anchor.frozen);
  }

  private get rate(): number {
    return this.speed === "instant" ? 1 : this.speed;
  }

  get frozen(): boolean {
    return this.anchor.frozen;
  }

  /** Returns the whole milliseconds since 1970. */
  now(): number {
    if (this.pinnedTime !== undefined) return this.pinnedTime;
    const { at, real, frozen, rate } = this.anchor;
    return frozen ? at : at + Math.max(0, Math.floor((Date.now() - real) * rate));
  }

  isoNow(): string {
    return new Date(this.now()).toISOString();
  }

  read(): ClockReading {
    return { now: this.isoNow(), frozen: this.frozen, speed: this.speed };
  }

  freeze(): void {
    this.moveTo(this.now(), true);
  }

  resume(): void {
    this.moveTo(this.now(), false);
  }

  /** Sets the time. An earlier time than now is ignored. */
  moveTo(at: number, frozen = this.frozen): void {
    this.anchor = { at: Math.max(at, this.now()), real: Date.now(), frozen, rate: this.rate };
    this.save();
  }

  /** Returns to the real time and unfreezes the clock. */
  reset(): void {
    this.anchor = { at: Date.now(), real: Date.now(), frozen: false, rate: this.rate };
    this.save();
  }

  /** Returns the real milliseconds until the clock reaches `at`; undefined while the clock is frozen. */
  realMsUntil(at: number): number | undefined {
    return this.frozen ? undefined : Math.max(0, (at - this.now()) / this.rate);
  }

  /** Runs a task with the clock at `at`. */
  runAt<T>(at: number, task: () => T): T {
    const outer = this.pinnedTime;
    this.pinnedTime = at;
    try {
      return task();
    } finally {
      this.pinnedTime = outer;
    }
  }

  private save(): void {
    this.store.run("INSERT OR REPLACE INTO state (key, value) VALUES ('clock', ?)", JSON.stringify(this.anchor));
  }
}
