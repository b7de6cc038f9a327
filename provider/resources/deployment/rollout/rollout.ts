/** Waits until the latest revision of a deployment is live, and reports why it is not (API `3.Revision status`). */
import type { Deployment, DeploymentBody } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { formatDuration, type PollResult, type Wait, WaitTimeoutError } from "../../../definition/wait";
import { DeploymentsOfRun } from "../deployments-of-run";
import type { Inputs } from "../inputs";
import { waitUntilHealthy } from "./health";
import { diagnose } from "./logs";
import { RolloutError, showFailure } from "./rollout-error";

const FAILED_STATUSES: ReadonlySet<string> = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"]);
/** Time in which the server may resume an interrupted revision. */
const GRACE_PERIOD_MS = 60_000;

const RETRY_HINT =
  "Fix the cause and run `pulumi up` again. If the program is unchanged, that `pulumi up` retries the rollout once.";

/** Warnings about superseding revisions in one wait. */
const MAX_WARNINGS = 3;
/** Number of concurrent waits from which on they share polls of the list, which contains the active revisions. */
const MIN_WAITS_TO_SHARE = 5;
/** With many waits, each one polls its own revision at this interval times the number of waits. */
const REVISION_POLL_MS = 200;

/**
 * Waits until the latest revision is DEPLOYED and active, and with `waitFor: "healthy"` until the agent server is healthy.
 * @param wait Defaults to the remaining time of the operation.
 * @throws RolloutError with cause, IDs, log tail and next step.
 */
export async function waitForRollout(
  deployment: Deployment,
  desired: Inputs,
  ctx: Context,
  wait: Wait = ctx.waitUntil,
): Promise<Deployment> {
  if (desired.waitFor === "none" || deployment.latestRevisionId == null) return deployment;
  const startedAt = ctx.clock.monotonic();
  const { fleetHint } = ctx.scope.get(DeploymentsOfRun);
  fleetHint.enter(startedAt);
  try {
    const live = await new RolloutWatcher(deployment, desired, ctx, wait).wait();
    if (desired.waitFor === "healthy") await waitUntilHealthy(live, desired, ctx, wait, startedAt);
    return live;
  } finally {
    fleetHint.leave(ctx.clock.monotonic());
  }
}

/** Whether the latest revision has already failed, so that resuming it would fail immediately. */
export async function hasLatestRevisionFailed({ id, latestRevisionId }: Deployment, ctx: Context): Promise<boolean> {
  if (latestRevisionId == null) return false;
  return isFailed((await ctx.clients.controlPlane.getRevision(id, latestRevisionId)).status);
}

/** Whether a revision ended without ever being live. */
export const isFailed = (status: string): boolean => FAILED_STATUSES.has(status) || status === "INTERRUPTED";

/** Returns a PATCH that redeploys the same configuration: an unchanged, non-null field (API `3.1`). */
export function toRedeployRequest({
  sourceRevisionConfig = {},
}: Pick<Deployment, "sourceRevisionConfig"> | Inputs): DeploymentBody | undefined {
  const { imageUri, sourceTarballPath, repoRef, agentgraphConfigPath } = sourceRevisionConfig;
  const fields = Object.entries({ imageUri, sourceTarballPath, repoRef, agentgraphConfigPath });
  const first = fields.find(([, value]) => value);
  return first && { sourceRevisionConfig: Object.fromEntries([first]) };
}

class RolloutWatcher {
  private readonly startedAt: number;
  private readonly run: DeploymentsOfRun;
  private revisionId: string;
  private interruptedAt: number | undefined;
  private status = "";
  /** Number of revisions that superseded the awaited one. */
  private supersededCount = 0;
  private nextRevisionPollAt: number | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly desired: Inputs,
    private readonly ctx: Context,
    private readonly waitUntil: Wait,
  ) {
    this.startedAt = ctx.clock.monotonic();
    this.run = ctx.scope.get(DeploymentsOfRun);
    this.revisionId = deployment.latestRevisionId ?? "";
  }

  async wait(): Promise<Deployment> {
    const what = `revision ${this.revisionId} of deployment ${this.deployment.id} to be DEPLOYED`;
    try {
      this.run.rolloutCount += 1;
      const live = await this.waitUntil({ what, poll: () => this.poll() });
      this.ctx.log.progress(`DEPLOYED, ${this.elapsed()}`);
      return live;
    } catch (error) {
      if (error instanceof WaitTimeoutError)
        throw await this.createError(
          error.lastStatus,
          `did not finish within ${this.elapsed()} (${error.lastStatus})`,
          "Run `pulumi up` again to keep waiting, or set customTimeouts to wait longer.",
        );
      throw error;
    } finally {
      this.run.rolloutCount -= 1;
    }
  }

  /**
   * With many waits, polls the list each time, and the revision itself only occasionally, to detect failures. With few waits,
   * polls the revision each time. Once several rollouts have been in progress at the same time in this run, a wait polls the
   * deployment first, because one without work to do is live already.
   */
  private async poll(): Promise<PollResult<Deployment>> {
    const { ctx, deployment, nextRevisionPollAt, run } = this;
    const { deploymentCache } = ctx.clients;
    run.hasConcurrentRollouts ||= run.rolloutCount > 1;
    const hint = run.fleetHint.takeMessage(ctx.clock.monotonic());
    if (hint) ctx.log.infoOnStack(hint);
    const isFirst = nextRevisionPollAt === undefined;
    const isShared = run.rolloutCount >= MIN_WAITS_TO_SHARE && this.status !== "INTERRUPTED";
    const now = ctx.clock.monotonic();
    if (isFirst || now >= nextRevisionPollAt) this.nextRevisionPollAt = now + run.rolloutCount * REVISION_POLL_MS;
    if (isShared || (isFirst && run.hasConcurrentRollouts)) {
      const shared = await (isFirst ? deploymentCache.pollFirst(deployment.id) : deploymentCache.poll(deployment.id));
      if (shared?.activeRevisionId === this.revisionId) return { done: shared };
      if (shared && isShared && (isFirst || now < nextRevisionPollAt))
        return { pending: this.status || "rolling out", isShared };
    }
    return { ...(await this.pollRevision()), isShared };
  }

  private async pollRevision(): Promise<PollResult<Deployment>> {
    const { status } = await this.ctx.clients.controlPlane.getRevision(this.deployment.id, this.revisionId);
    this.status = status;
    if (status !== "INTERRUPTED") this.interruptedAt = undefined;
    if (FAILED_STATUSES.has(status))
      throw await this.createError(status, `failed with ${status} after ${this.elapsed()}`);
    if (status === "DEPLOYED" || status === "SKIPPED") return this.followSuperseding(status);
    if (status === "INTERRUPTED") await this.assertWithinGracePeriod(status);
    return { pending: status };
  }

  /** Follows a superseding revision: DEPLOYED alone does not mean live, and SKIPPED means that a newer revision exists. */
  private async followSuperseding(status: string): Promise<PollResult<Deployment>> {
    const now = await this.ctx.clients.controlPlane.getDeployment(this.deployment.id);
    if (status === "DEPLOYED" && now.activeRevisionId === this.revisionId) return { done: now };
    if (now.latestRevisionId != null && now.latestRevisionId !== this.revisionId) {
      this.supersededCount += 1;
      const last = this.supersededCount === MAX_WARNINGS ? " Later ones are followed without a warning." : "";
      if (this.supersededCount <= MAX_WARNINGS)
        this.ctx.log.warn(
          `revision ${this.revisionId} was superseded by ${now.latestRevisionId}; waiting for that one instead.${last}`,
        );
      this.revisionId = now.latestRevisionId;
    }
    return { pending: status === "DEPLOYED" ? "DEPLOYED, not yet active" : status };
  }

  private async assertWithinGracePeriod(status: string): Promise<void> {
    const now = this.ctx.clock.monotonic();
    this.interruptedAt ??= now;
    if (now - this.interruptedAt >= GRACE_PERIOD_MS)
      throw await this.createError(status, `stayed ${status} for ${formatDuration(GRACE_PERIOD_MS)}`);
  }

  private elapsed(): string {
    return formatDuration(this.ctx.clock.monotonic() - this.startedAt);
  }

  private async createError(status: string, what: string, hint = RETRY_HINT): Promise<RolloutError> {
    const { ctx, deployment, revisionId, desired } = this;
    const { cause, tail } = await diagnose(
      {
        deploymentId: deployment.id,
        name: desired.name,
        revisionId,
        status,
      },
      ctx,
    );
    const active = deployment.activeRevisionId;
    showFailure(what, cause, ctx);
    return new RolloutError({
      summary: `Deployment "${desired.name}": revision rollout ${what}.`,
      details: [
        ["cause", cause],
        ["deployment", deployment.id],
        ["revision", revisionId],
        ["image", desired.sourceRevisionConfig?.imageUri],
        ["ref", desired.sourceRevisionConfig?.repoRef],
      ],
      log: tail,
      live: active == null ? "nothing yet" : `${active} (the previous revision)`,
      hint,
      remote: deployment,
    });
  }
}
