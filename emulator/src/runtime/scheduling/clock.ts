import type { Store } from "../storage/store";

/** What `GET /_emulator/clock` answers. */
export interface ClockReading {
  now: string;
  frozen: boolean;
  speed: number | "instant";
}

/** Where the clock stood at a moment of real time; from there it runs with the speed, or stands still. */
interface Anchor {
  at: number;
  real: number;
  frozen: boolean;
  rate: number;
}

/** The emulator's time: every timestamp, the Date header and all due jobs go by it. It never runs backwards. */
export class Clock {
  private anchor: Anchor;
  /** While a due job runs, its own due time. */
  private pinned: number | undefined;

  constructor(
    private readonly store: Store,
    readonly speed: number | "instant",
  ) {
    const saved = store.get("SELECT value FROM state WHERE key = 'clock'");
    const real = Date.now();
    this.anchor = saved ? JSON.parse(String(saved.value)) : { at: real, real, frozen: false, rate: this.rate };
    // The time while the emulator was down passed too, with the speed of then.
    this.moveTo(this.now(), this.anchor.frozen);
  }

  private get rate(): number {
    return this.speed === "instant" ? 1 : this.speed;
  }

  get frozen(): boolean {
    return this.anchor.frozen;
  }

  /** Milliseconds since 1970, a whole number. */
  now(): number {
    if (this.pinned !== undefined) return this.pinned;
    const { at, real, frozen, rate } = this.anchor;
    return frozen ? at : at + Math.max(0, Math.floor((Date.now() - real) * rate));
  }

  iso(): string {
    return new Date(this.now()).toISOString();
  }

  read(): ClockReading {
    return { now: this.iso(), frozen: this.frozen, speed: this.speed };
  }

  freeze(): void {
    this.moveTo(this.now(), true);
  }

  resume(): void {
    this.moveTo(this.now(), false);
  }

  /** Sets the time, forwards only. */
  moveTo(at: number, frozen = this.frozen): void {
    this.anchor = { at: Math.max(at, this.now()), real: Date.now(), frozen, rate: this.rate };
    this.save();
  }

  /** Back to the time of the world, running. */
  reset(): void {
    this.anchor = { at: Date.now(), real: Date.now(), frozen: false, rate: this.rate };
    this.save();
  }

  /** Real milliseconds until the clock shows `at`; undefined when it stands still. */
  realUntil(at: number): number | undefined {
    return this.frozen ? undefined : Math.max(0, (at - this.now()) / this.rate);
  }

  /** Runs `work` while the clock shows `at`. */
  pin<T>(at: number, work: () => T): T {
    const outer = this.pinned;
    this.pinned = at;
    try {
      return work();
    } finally {
      this.pinned = outer;
    }
  }

  private save(): void {
    this.store.run("INSERT OR REPLACE INTO state (key, value) VALUES ('clock', ?)", JSON.stringify(this.anchor));
  }
}
