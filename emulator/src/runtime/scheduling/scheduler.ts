import { durations } from "../limits";
import type { Store } from "../storage/store";
import type { Work } from "./background-tasks";
import type { Clock } from "./clock";

/** Something that happens at a time: `subject` is what it is about, `owner` what it goes away with. */
export interface Job {
  kind: string;
  subject: string;
  owner: string;
  payload: unknown;
}

/** The due jobs: all that moves by itself. They run in order of due time, each seeing its own due time as now. */
export class Jobs {
  private readonly kinds = new Map<string, (job: Job) => void>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Says what a kind of job does. */
  define(kind: string, work: (job: Job) => void): void {
    this.kinds.set(kind, work);
  }

  schedule(afterMs: number, job: Omit<Job, "payload"> & { payload?: unknown }): void {
    const { kind, subject, owner, payload = null } = job;
    const sql = "INSERT INTO jobs (due_at, kind, subject, owner, payload) VALUES (?, ?, ?, ?, ?)";
    this.store.run(sql, this.clock.now() + afterMs, kind, subject, owner, JSON.stringify(payload));
  }

  /** Forgets the jobs about a subject. */
  cancel(subject: string): void {
    this.store.run("DELETE FROM jobs WHERE subject = ?", subject);
  }

  /** Forgets all jobs that belong to an owner. */
  cancelAllOf(owner: string): void {
    this.store.run("DELETE FROM jobs WHERE owner = ?", owner);
  }

  isScheduled(subject: string): boolean {
    return this.store.get("SELECT 1 AS found FROM jobs WHERE subject = ? LIMIT 1", subject) !== undefined;
  }

  /** Runs what is due by now, and with `--speed instant` what comes of it. A frozen clock runs nothing. */
  runDue(): void {
    if (this.clock.frozen) return;
    this.runUntil(this.clock.now());
    if (this.clock.speed === "instant") this.runAhead();
  }

  /**
   * Moves the clock from one due job to the next and runs them, with all work that they start, each at its own time;
   * then to the end. Works on a frozen clock too.
   */
  async advance(ms: number, work: Work): Promise<number> {
    const end = this.clock.now() + ms;
    let count = 0;
    for (let due = this.nextDueAt(); due !== undefined && due <= end; due = this.nextDueAt()) {
      const step = due;
      count += this.store.transaction(() => this.runUntil(step));
      this.clock.moveTo(step);
      await work.settled();
    }
    this.clock.moveTo(end);
    return count;
  }

  /** One timer, set to the next due job; to be called after whatever may have changed the jobs or the clock. */
  arm(): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    const next = this.nextDueAt();
    const wait = next === undefined ? undefined : this.clock.realUntil(next);
    if (wait === undefined) return;
    // A timer of Node holds 2^31 ms at most; an early wake-up only arms it again.
    this.timer = setTimeout(() => this.wake(), Math.min(Math.ceil(wait), 2 ** 31 - 1));
    this.timer.unref();
  }

  /** For good: a request that ends later arms nothing any more. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private wake(): void {
    this.store.transaction(() => this.runDue());
    this.arm();
  }

  private nextDueAt(): number | undefined {
    const row = this.store.get("SELECT min(due_at) AS due FROM jobs");
    return typeof row?.due === "number" ? row.due : undefined;
  }

  private runUntil(end: number): number {
    let count = 0;
    for (;;) {
      const row = this.store.get("SELECT * FROM jobs WHERE due_at <= ? ORDER BY due_at, id LIMIT 1", end);
      if (!row) return count;
      this.store.run("DELETE FROM jobs WHERE id = ?", row.id ?? null);
      const job = {
        kind: String(row.kind),
        subject: String(row.subject),
        owner: String(row.owner),
        payload: JSON.parse(String(row.payload)),
      };
      this.clock.pin(Number(row.due_at), () => this.kinds.get(job.kind)?.(job));
      count++;
    }
  }

  private runAhead(): void {
    const horizon = this.clock.now() + durations.instantHorizon;
    for (let due = this.nextDueAt(); due !== undefined && due <= horizon; due = this.nextDueAt()) {
      this.runUntil(due);
      this.clock.moveTo(due);
    }
  }
}
