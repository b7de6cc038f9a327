import { describeStart } from "../agents/build";
import type { BucketService } from "../bucket/service";
import { purgeDeployment } from "../control-plane/deletion";
import {
  type DeploymentRecord,
  deploymentById,
  revisionById,
  revisionsOf,
  statusHistory,
  updateDeployment,
  updateRevision,
} from "../control-plane/model/records";
import { fillResourceSpec } from "../control-plane/model/resource-spec";
import { sealSecrets } from "../control-plane/model/secrets";
import { deploymentResponse, revisionResponse } from "../control-plane/responses";
import { forceStatus, resumeRollouts } from "../control-plane/rollout/rollout";
import { type Push, type PushResult, push } from "../control-plane/sources/pushes";
import { deleteOrphanedTarballs } from "../control-plane/sources/uploads";
import { validateAdminInput } from "../http/admin-gateway";
import type { Context } from "../runtime/context";
import type { ClockReading } from "../runtime/descriptions";
import { ApiError } from "../runtime/errors";
import type { Fault, StoredFault } from "../runtime/faults";
import { limits } from "../runtime/limits";
import type { Infer } from "../runtime/validation/schema";
import type { BucketAccess } from "./buckets";
import { type Completed, completedAfter } from "./completed";
import { countObjects, type ObjectCounts } from "./counts";
import { type OutOfBandExportUpdate, updateExportOutOfBand } from "./exports";
import { type ClockChange, type OutOfBandUpdate, pushBody } from "./schemas";
import { seedBucketData, seedInitialData } from "./seed/contents";
import { insertSeed, type Seed, seedBody } from "./seed/seed";
import { validateFault } from "./validate-fault";

/** The clock after a change, and what happened meanwhile. */
interface ClockResult extends ClockReading {
  jobs_run: number;
  /** Revisions and export runs that ended meanwhile. */
  ended: Completed[];
}

const END_OF_TIME = "The clock cannot advance beyond the year 9999. Advance it by less, or reset the emulator";

/** The operations of the admin API, which the in-process API shares. Each is one transaction. */
export class Operations {
  private pendingClockChange: Promise<unknown> = Promise.resolve();
  private untilReset = new AbortController();

  /** `onChange` is called after anything that may have changed jobs or the clock. */
  constructor(
    private readonly context: Context,
    private readonly buckets: BucketService,
    private readonly bucket: BucketAccess,
    private readonly onChange: () => void,
  ) {}

  /** Freezes or resumes the clock, then advances it. Concurrent calls run one after the other; a reset ends them. */
  changeClock(change: ClockChange): Promise<ClockResult> {
    const { signal } = this.untilReset;
    const result = this.pendingClockChange.then(() => this.applyClockChange(signal.aborted ? {} : change, signal));
    this.pendingClockChange = result.catch(() => {});
    return result;
  }

  private async applyClockChange({ frozen, advance_ms }: ClockChange, signal: AbortSignal): Promise<ClockResult> {
    const { clock, scheduler, store, backgroundTasks } = this.context;
    this.commit(() => {
      if (frozen === true) clock.freeze();
      if (frozen === false) clock.resume();
    });
    if (advance_ms === undefined) return { ...clock.read(), jobs_run: 0, ended: [] };
    // Tasks that are already running belong to the present.
    await backgroundTasks.whenIdle();
    const from = clock.now();
    if (from + advance_ms > limits.clock.lastMs) throw new ApiError(422, END_OF_TIME);
    const jobs_run = await scheduler.advance(advance_ms, backgroundTasks, signal);
    this.onChange();
    return { ...clock.read(), jobs_run, ended: completedAfter(store, from) };
  }

  addFault(fault: Fault): StoredFault {
    validateFault(fault);
    return this.commit(() => this.context.faults.add(fault));
  }

  removeFaults(id?: number): void {
    this.commit(() => this.context.faults.remove(id));
  }

  clearRequestLog(): void {
    this.commit(() => this.context.requestLog.clear());
  }

  seed(seed: Seed): Record<string, string[]> {
    const validated = validateAdminInput<Infer<typeof seedBody>>(seedBody, seed);
    return this.commit(() => insertSeed(this.context, validated));
  }

  /** Simulates a push to a repository. */
  push(change: Push): PushResult {
    const validated = validateAdminInput<Push>(pushBody, change);
    return this.commit(() => push(this.context, validated));
  }

  /** Returns to a fresh emulator: only the default seed, and the clock at the real time. */
  async reset(): Promise<{ removed: ObjectCounts; left: ObjectCounts }> {
    const { buckets } = this;
    const { store, clock, backgroundTasks, notifier } = this.context;
    this.untilReset.abort();
    this.untilReset = new AbortController();
    await backgroundTasks.abortAll();
    return this.commit(() => {
      const removed = countObjects(store);
      buckets.index.deleteAllFiles();
      store.clear();
      store.afterCommit(() => notifier.notifyAll());
      buckets.index.ensureDefaultBucket();
      deleteOrphanedTarballs(this.context);
      clock.reset();
      seedInitialData(this.context);
      seedBucketData(this.context, this.bucket);
      this.context.events.emit("rolloutsChanged");
      return { removed, left: countObjects(store) };
    });
  }

  /** Updates a deployment out of band, without rules and without a revision. */
  updateDeployment(id: string, change: OutOfBandUpdate): void {
    this.commit(() => {
      this.applyOutOfBandUpdate(this.requireDeployment(id), change);
      resumeRollouts(this.context);
    });
  }

  /** Deletes a deployment immediately. */
  deleteDeployment(id: string): void {
    this.commit(() => purgeDeployment(this.context, this.requireDeployment(id).id));
  }

  /** Updates an export out of band. */
  updateExport(id: string, change: OutOfBandExportUpdate): void {
    this.commit(() => updateExportOutOfBand(this.context, id, change));
  }

  deleteListener(id: string): void {
    this.commit(() => this.context.store.run("DELETE FROM listeners WHERE id = ?", id));
  }

  /** Returns a deployment of any workspace with all its revisions. */
  describeDeployment(id: string, origin: string): Record<string, unknown> {
    const { store } = this.context;
    const requireDeployment = this.requireDeployment(id);
    const revisions = revisionsOf(store, id).map((revision) => ({
      ...revisionResponse(this.context, revision, requireDeployment.source),
      created_at: revision.created_at,
      status_history: statusHistory(store, revision.id),
      command: describeStart(this.context, requireDeployment, revision),
      agent: this.context.agents.find(revision.id)?.describe() ?? null,
    }));
    return { ...deploymentResponse(this.context, requireDeployment, origin), revisions };
  }

  private applyOutOfBandUpdate(requireDeployment: DeploymentRecord, change: OutOfBandUpdate): void {
    const { source_config, source_revision_config: config, revision_status, secrets, ...rest } = change;
    const { context } = this;
    const merged = { ...requireDeployment.source_config, ...source_config };
    if (source_config?.resource_spec) merged.resource_spec = fillResourceSpec(source_config.resource_spec);
    updateDeployment(context, requireDeployment.id, {
      ...rest,
      ...(secrets && { secrets: sealSecrets(context, requireDeployment.id, secrets) }),
      source_config: merged,
    });
    const latest = requireDeployment.latest_revision_id
      ? revisionById(context.store, requireDeployment.latest_revision_id)
      : undefined;
    if (!latest) return;
    const source_revision_config = { ...latest.source_revision_config, ...config };
    if (config) updateRevision(context, latest.id, { source_revision_config });
    if (revision_status !== undefined) forceStatus(context, latest, revision_status);
  }

  private requireDeployment(id: string): DeploymentRecord {
    const requireDeployment = deploymentById(this.context.store, id);
    if (requireDeployment) return requireDeployment;
    throw new ApiError(404, `Deployment ${id} not found`);
  }

  /** Runs due jobs first, so that a change applies to the current state. */
  commit<T>(transaction: () => T): T {
    const { store, scheduler } = this.context;
    store.transaction(() => scheduler.runDue());
    try {
      return store.transaction(transaction);
    } finally {
      this.onChange();
    }
  }
}
