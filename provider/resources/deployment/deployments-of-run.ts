/** What the deployments of a run share. */
import { availableParallelism } from "node:os";

/** Number of concurrent waits from which on they share polls of the list, which contains the active revisions. */
const MIN_WAITS_TO_SHARE = 5;

export class DeploymentsOfRun {
  /** Number of deployments whose rollout is awaited. */
  rolloutCount = 0;
  /** Whether several rollouts were in progress at the same time in this run. */
  hasConcurrentRollouts = false;
  readonly fleetHint = new FleetHint();
  /** Names of deployments whose errors show a log, by the digest of that log. */
  readonly nameByLog = new Map<string, string>();
  /** Number of deployments whose deletion is awaited. */
  deletionCount = 0;
  /** Names of deployments that this run deleted: a server may keep them reserved. */
  readonly deletedNames = new Set<string>();
  /** IDs of deployments that had to be deleted on a server without deletion: their names stay taken. */
  readonly undeletableIds = new Set<string>();

  get sharesRolloutPolls(): boolean {
    return this.rolloutCount >= MIN_WAITS_TO_SHARE;
  }

  get sharesDeletionPolls(): boolean {
    return this.deletionCount >= MIN_WAITS_TO_SHARE;
  }
}

/** Concurrent rollouts above which the hint may be shown. */
const MANY_ABOVE = 6;
const SHOWN_AFTER_MS = 30_000;
/** Maximum gap between two batches, while the next creates are sent. */
const MAX_GAP_MS = 5000;
/** The engine's default parallelism; more rollouts mean that the user has set `--parallel`. */
const DEFAULT_PARALLEL = Math.max(8, 4 * availableParallelism());

/**
 * Counts the rollouts that a process waits for, and suggests a higher `--parallel` once: the engine works on 4 resources per
 * core at a time and each one waits for its rollout, so many deployments roll out in batches, although waiting costs almost
 * nothing.
 */
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

  /** Returns the message once it applies; undefined before and afterwards. */
  takeMessage(now: number): string | undefined {
    const { waiting, manySince } = this;
    if (this.isShown || waiting <= MANY_ABOVE || waiting > this.defaultParallel) return undefined;
    if (manySince === undefined || now - manySince < SHOWN_AFTER_MS) return undefined;
    this.isShown = true;
    return `Waiting for ${waiting} rollouts at once. If more resources are queued, run Pulumi with \`--parallel <number>\` to work on more of them at the same time.`;
  }
}
