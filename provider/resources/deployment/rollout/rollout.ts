/** Waits until the latest revision of a deployment is live, and reports why it is not (API `3.Revision status`). */
import type { Deployment } from "../../../api/control-plane/client";
import { FAILED_STATUSES } from "../../../api/control-plane/schemas";
import type { Context } from "../../../definition/context";
import type { Observation } from "../../../definition/results";
import { type PollResult, type Wait, WaitTimeoutError } from "../../../definition/wait";
import { ignoreHttpError } from "../../../http/errors";
import { sendWithRouteRetry } from "../../../objects/server/optional-route";
import { formatDuration } from "../../../text/format";
import { howToSetVocabulary, VOCABULARIES, vocabularyIn } from "../../../text/vocabulary";
import { declaresNoContent } from "../mapping";
import type { Inputs } from "../schema/inputs";
import { describeLive, waitUntilHealthy } from "./health";
import { createLiveLog } from "./live-log";
import { diagnose } from "./logs";
import { type RevisionPoll, RevisionPoller } from "./revision-poller";
import { RolloutError, showFailure } from "./rollout-error";

/** Time in which the server may resume an interrupted revision. */
const GRACE_PERIOD_MS = 60_000;

const RETRY_HINT =
  "Fix the cause and run `pulumi up` again. If the program is unchanged, that `pulumi up` retries the rollout once.";

/** Warnings about superseding revisions in one wait. */
const MAX_WARNINGS = 3;

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
  warnOfOtherWords(deployment, desired, ctx);
  if (desired.waitFor === "none" || deployment.latestRevisionId == null) return deployment;
  const startedAt = ctx.clock.monotonic();
  const live = await new RolloutWatcher(deployment, desired, ctx, wait).wait();
  if (desired.waitFor === "healthy") await waitUntilHealthy(live, desired, ctx, { wait, startedAt });
  return live;
}

/** Warns if the server dropped the one field that has another name on some platforms. Some return nothing of a new revision. */
function warnOfOtherWords({ sourceRevisionConfig }: Deployment, desired: Inputs, { log, settings }: Context): void {
  const { agentgraphConfigPath: sent } = desired.sourceRevisionConfig ?? {};
  const returned = Object.values(sourceRevisionConfig ?? {}).some((value) => value != null);
  if (sent === undefined || !returned || sourceRevisionConfig?.agentgraphConfigPath != null) return;
  const { agentgraph } = settings.vocabulary;
  const other = VOCABULARIES.find((one) => one.agentgraph !== agentgraph) ?? settings.vocabulary;
  log.warn(
    `The server did not return ${agentgraph}_config_path, which was sent, and may know it under another name. If it does: ${howToSetVocabulary(other)}`,
  );
}

/** Records what the server holds after a failed rollout, such as a live revision that is not healthy. */
export const recordFailed =
  (observe: (current: Deployment) => Observation, ctx: Context) =>
  (error: unknown): never => {
    if (error instanceof RolloutError) ctx.record(observe(error.failure.remote));
    throw error;
  };

/** Whether the latest revision has already failed, so that resuming it would fail immediately. */
export async function hasLatestRevisionFailed({ id, latestRevisionId }: Deployment, ctx: Context): Promise<boolean> {
  if (latestRevisionId == null) return false;
  // One 404 proves nothing.
  const read = () => ctx.clients.controlPlane.getRevision(id, latestRevisionId);
  return isFailed((await sendWithRouteRetry(read, ctx.clock)).status);
}

/** Whether a revision ended without ever being live. */
const isFailed = (status: string): boolean => FAILED_STATUSES.has(status) || status === "INTERRUPTED";

/**
 * Returns what to warn of when the latest revision is not live although an up would have waited for it; undefined when it
 * is. Sends one request if so; a failure of that request does not fail the refresh.
 */
export async function findUnfinished(
  remote: Deployment,
  declared: Inputs,
  ctx: Context,
): Promise<{ warning?: string } | undefined> {
  const { id, latestRevisionId: latest, activeRevisionId: active } = remote;
  // Pushes create revisions that do not belong to the program.
  const isPushed = remote.sourceConfig?.buildOnPush === true || declaresNoContent(declared);
  if (latest == null || latest === active || isPushed || declared.waitFor === "none") return undefined;
  const revision = await ctx.clients.controlPlane.getRevision(id, latest).catch(ignoreHttpError);
  if (!revision || !isFailed(revision.status)) return {};
  return {
    warning: `revision ${latest} failed (${revision.status}). The server reports ${active ?? "no revision"} as active. The next \`pulumi up\` retries the failed one once.`,
  };
}

/** Decides what the polls of a revision mean: live, failed, superseded, or interrupted for too long. */
class RolloutWatcher {
  private readonly startedAt: number;
  private readonly poller: RevisionPoller;
  private readonly liveLog: ReturnType<typeof createLiveLog>;
  private revisionId: string;
  private interruptedAt: number | undefined;
  private status = "";
  /** Number of revisions that superseded the awaited one. */
  private supersededCount = 0;

  constructor(
    private readonly deployment: Deployment,
    private readonly desired: Inputs,
    private readonly ctx: Context,
    private readonly waitUntil: Wait,
  ) {
    this.startedAt = ctx.clock.monotonic();
    this.poller = new RevisionPoller(deployment.id, ctx);
    this.liveLog = ctx.settings.streamLogs === false ? undefined : createLiveLog(deployment.id, desired, ctx);
    this.revisionId = deployment.latestRevisionId ?? "";
  }

  async wait(): Promise<Deployment> {
    const what = `revision ${this.revisionId} of deployment ${this.deployment.id} to be DEPLOYED`;
    try {
      const live = await this.waitUntil({ kind: "rollout", what, poll: () => this.poll() });
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
      this.poller.stop();
    }
  }

  private async poll(): Promise<PollResult<Deployment>> {
    const { ctx } = this;
    const result = await this.poller.poll(this.revisionId, this.status);
    const { active, status, isShared } = result;
    const { revisionId } = this;
    if (active) {
      ctx.trace.event("DEPLOYED");
      await this.liveLog?.finish(revisionId, "DEPLOYED");
      return { done: active };
    }
    const pending = status === undefined ? this.status || "rolling out" : await this.interpret(status, result);
    // The status of a superseded revision says nothing about the next one.
    const isShown = await this.liveLog?.update(revisionId, revisionId === this.revisionId ? status : undefined);
    return { pending, isShared, isShown };
  }

  /** Returns the status to show. @throws RolloutError when the revision failed. */
  private async interpret(status: string, { current }: RevisionPoll): Promise<string> {
    this.status = status;
    if (status !== "INTERRUPTED") this.interruptedAt = undefined;
    if (FAILED_STATUSES.has(status)) {
      this.ctx.trace.event(status);
      throw await this.createError(status, `failed with ${status} after ${this.elapsed()}`);
    }
    if (status === "INTERRUPTED") await this.assertWithinGracePeriod(status);
    if (current) this.followSuperseding(current);
    return status === "DEPLOYED" ? "DEPLOYED, not yet active" : status;
  }

  /** Follows a superseding revision: DEPLOYED alone does not mean live, and SKIPPED means that a newer revision exists. */
  private followSuperseding({ latestRevisionId }: Deployment): void {
    if (latestRevisionId == null || latestRevisionId === this.revisionId) return;
    this.supersededCount += 1;
    const last = this.supersededCount === MAX_WARNINGS ? " Later ones are followed without a warning." : "";
    if (this.supersededCount <= MAX_WARNINGS)
      this.ctx.log.warn(
        `revision ${this.revisionId} was superseded by ${latestRevisionId}; waiting for that one instead.${last}`,
      );
    this.revisionId = latestRevisionId;
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
    await this.liveLog?.finish(revisionId, status);
    const failed = { deploymentId: deployment.id, name: desired.name, revisionId, status };
    const { cause, tail } = await diagnose(failed, ctx);
    const current = (await ctx.clients.controlPlane.getDeployment(deployment.id).catch(ignoreHttpError)) ?? undefined;
    const live = await describeLive(current, revisionId, ctx);
    const other = vocabularyIn([cause, ...tail].join("\n"), ctx.settings.vocabulary);
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
      live,
      hint: other ? `The server uses other words. ${howToSetVocabulary(other)}\n${hint}` : hint,
      remote: current ?? deployment,
    });
  }
}
