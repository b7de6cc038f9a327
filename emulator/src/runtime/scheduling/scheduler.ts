import { durations } from "../limits";
import type { Store } from "../storage/store";
import type { BackgroundTasks } from "./background-tasks";
import type { Clock } from "./clock";

/** A timed action. `subject` is the object that it changes; `owner` is the object whose deletion cancels it. */
export interface Job {
  kind: string;
  subject: string;
  owner: string;
  payload: unknown;
}

/** Runs all timed jobs, in order of due time. Each job sees its own due time as the current time. */
export class Scheduler {
  private readonly handlers = new Map<string, (job: Job) => void>();
  /** The kinds of jobs for which `--speed instant` does not advance the clock. */
  private readonly waitingKinds: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers the handler of one kind of job. With `--speed instant`, a job that does not run ahead waits for the
   * clock.
   */
  registerHandler(kind: string, handler: (job: Job) => void, { runsAhead = true } = {}): void {
    this.handlers.set(kind, handler);
    if (!runsAhead) this.waitingKinds.push(kind);
  }

  schedule(afterMs: number, job: Omit<Job, "payload"> & { payload?: unknown }): void {
    const { kind, subject, owner, payload = null } = job;
    const sql = "INSERT INTO jobs (due_at, kind, subject, owner, payload) VALUES (?, ?, ?, ?, ?)";
    this.store.run(sql, this.clock.now() + afterMs, kind, subject, owner, JSON.stringify(payload));
  }

  /** Cancels the jobs of a subject. */
  cancel(subject: string): void {
    this.store.run("DELETE FROM jobs WHERE subject = ?", subject);
  }

  /** Cancels all jobs of an owner. */
  cancelByOwner(owner: string): void {
    this.store.run("DELETE FROM jobs WHERE owner = ?", owner);
  }

  isScheduled(subject: string): boolean {
    return this.store.get("SELECT 1 FROM jobs WHERE subject = ? LIMIT 1", subject) !== undefined;
  }

  /**
   * Runs the jobs that are due and, with `--speed instant`, the jobs that they schedule. Does nothing while the clock
   * is frozen.
   */
  runDue(): void {
    if (this.clock.frozen) return;
    this.runUntil(this.clock.now());
    if (this.clock.speed === "instant") this.runToHorizon();
  }

  /**
   * Advances the clock job by job, each at its own due time, and waits for the background tasks of each; then sets it
   * to the end, unless the signal aborts. Works on a frozen clock, too. Returns how many jobs ran.
   */
  async advance(ms: number, tasks: BackgroundTasks, signal?: AbortSignal): Promise<number> {
    const end = this.clock.now() + ms;
    let count = 0;
    for (let due = this.nextDueAt(); due !== undefined && due <= end; due = this.nextDueAt()) {
      if (signal?.aborted) break;
      const step = due;
      count += this.store.transaction(() => this.runUntil(step));
      this.clock.moveTo(step);
      await tasks.whenIdle();
    }
    if (!signal?.aborted) this.clock.moveTo(end);
    return count;
  }

  /** Sets the one timer to the next due job. Call it after anything that may have changed the jobs or the clock. */
  startTimer(): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    const next = this.nextDueAt();
    const waitMs = next === undefined ? undefined : this.clock.realMsUntil(next);
    if (waitMs === undefined) return;
    // Node.js timers are limited to 2^31 ms; firing early only sets the timer again.
    this.timer = setTimeout(() => this.onTimer(), Math.min(Math.ceil(waitMs), 2 ** 31 - 1));
    this.timer.unref();
  }

  /** Stops the timer permanently. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private onTimer(): void {
    this.store.transaction(() => this.runDue());
    this.startTimer();
  }

  private nextDueAt(without: readonly string[] = []): number | undefined {
    const sql = "SELECT min(due_at) AS due FROM jobs";
    const row =
      without.length === 0
        ? this.store.get(sql)
        : this.store.get(`${sql} WHERE kind NOT IN (SELECT value FROM json_each(?))`, JSON.stringify(without));
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
      this.clock.runAt(Number(row.due_at), () => this.handlers.get(job.kind)?.(job));
      count++;
    }
  }

  private runToHorizon(): void {
    const horizon = this.clock.now() + durations.instantHorizon;
    const next = () => this.nextDueAt(this.waitingKinds);
    for (let due = next(); due !== undefined && due <= horizon; due = next()) {
      this.runUntil(due);
      this.clock.moveTo(due);
    }
  }
}
