/**
 * The engine works on 4 resources per core at a time, and each waits for its rollout: many roll out in batches, although
 * waiting costs next to nothing. Where that shows, one line names the option that changes it.
 */
import { availableParallelism } from "node:os";

/** More rollouts at once than this are many. */
const MANY_ABOVE = 6;
const SHOWN_AFTER_MS = 30_000;
/** Between two batches next to nothing is waited for, for as long as the next creates take. */
const MAX_GAP_MS = 5000;
/** What the engine works on at once when nobody says otherwise; more means that somebody did. */
const DEFAULT_PARALLEL = Math.max(8, 4 * availableParallelism());

/** Counts the rollouts that one process waits for, and says once when a higher `--parallel` would help. */
export class FleetHint {
  private waiting = 0;
  private manySince: number | undefined;
  private gapSince: number | undefined;
  private isShown = false;

  constructor(private readonly defaultParallel = DEFAULT_PARALLEL) {}

  /** @param now Milliseconds. */
  enter(now: number): void {
    this.waiting += 1;
    if (this.waiting !== MANY_ABOVE + 1) return;
    if (this.gapSince === undefined || now - this.gapSince > MAX_GAP_MS) this.manySince = now;
    this.gapSince = undefined;
  }

  leave(now: number): void {
    this.waiting -= 1;
    if (this.waiting === MANY_ABOVE) this.gapSince = now;
  }

  /** The line to show; undefined when there is nothing to say, or it was said. */
  takeMessage(now: number): string | undefined {
    const { waiting, manySince } = this;
    if (this.isShown || waiting <= MANY_ABOVE || waiting > this.defaultParallel) return undefined;
    if (manySince === undefined || now - manySince < SHOWN_AFTER_MS) return undefined;
    this.isShown = true;
    return `Waiting for ${waiting} rollouts at once. If more resources are queued, run Pulumi with \`--parallel <number>\` to work on more of them at the same time.`;
  }
}

/** That of this process. */
export const fleetHint = new FleetHint();
