/** Waits until the latest revision of a deployment is live, and reports why it is not (API `3.Revision status`). */
import { type Deployment, FAILED_STATUSES } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { MAX_OUTDATED_MS, type PollResult, type Wait, WaitTimeoutError } from "../../../definition/wait";
import { HttpError, ignoreHttpError, ignoreNotFound } from "../../../http/errors";
import { formatDuration } from "../../../text/format";
import { howToSetVocabulary, VOCABULARIES, vocabularyIn } from "../../../text/vocabulary";
import { DeploymentsOfRun } from "../deployments-of-run";
import type { Inputs } from "../schema/inputs";
import { describeLive, waitUntilHealthy, withUrl } from "./health";
import { createLiveLog } from "./live-log";
import { diagnose } from "./logs";
import { RolloutError, showFailure } from "./rollout-error";

/** Time in which the server may resume an interrupted revision. */
const GRACE_PERIOD_MS = 60_000;

const RETRY_HINT =
  "Fix the cause and run `pulumi up` again. If the program is unchanged, that `pulumi up` retries the rollout once.";

/** With many waits, each one polls its own revision at this interval times the number of waits. */
const REVISION_POLL_MS = 200;

interface RevisionPoll {
  active?: Deployment;
  /** The status of the revision; absent when only the list was read, or the revision was not found. */
  status?: string;
  /** The deployment while a revision that has ended is not active: another one may have superseded it. */
  current?: Deployment;
  isShared: boolean;
}

interface RolloutOptions {
  wait?: Wait;
  /** The deployment before the revision was requested: what an outdated response may still show. */
  earlier?: readonly Deployment[];
}

/** Waits until the latest revision is active, and healthy if declared. @throws RolloutError with the next step. */
export async function waitForRollout(
  deployment: Deployment,
  desired: Inputs,
  ctx: Context,
  { wait = ctx.waitUntil, earlier = [] }: RolloutOptions = {},
): Promise<Deployment> {
  const sent = desired.sourceRevisionConfig?.agentgraphConfigPath;
  if (sent !== undefined) warnOfOtherWords(deployment, ctx);
  const waitFor = waitOf(desired);
  if (waitFor === "none" || deployment.latestRevisionId == null) return deployment;
  const startedAt = ctx.clock.monotonic();
  const live = await new RolloutWatcher(deployment, desired, ctx, { wait, earlier }).wait();
  const isFirst = [deployment, ...earlier].every(({ activeRevisionId }) => activeRevisionId == null);
  // Every server sets the URL of a git repository (API `2A.SourceConfig.custom_url:githost`); others may set none.
  const isAwaited = isFirst && (waitFor === "healthy" || desired.source === "githost");
  const reachable = isAwaited ? await withUrl(live, ctx, wait) : live;
  if (waitFor === "healthy") await waitUntilHealthy(reachable, desired, ctx, { wait, startedAt });
  return reachable;
}

/** Returns what is awaited: checks of a live revision imply that it is healthy. */
export const waitOf = ({ waitFor, verify }: Pick<Inputs, "waitFor" | "verify">): Inputs["waitFor"] =>
  waitFor !== "none" && verify?.length ? "healthy" : waitFor;

/** Warns if the server dropped the one field with another name on some platforms. Some return nothing of it. */
function warnOfOtherWords({ sourceRevisionConfig }: Deployment, { log, settings }: Context): void {
  const returned = Object.values(sourceRevisionConfig ?? {}).some((value) => value != null);
  if (!returned || sourceRevisionConfig?.agentgraphConfigPath != null) return;
  const { agentgraph } = settings.vocabulary;
  const other = VOCABULARIES.find((one) => one.agentgraph !== agentgraph) ?? settings.vocabulary;
  log.warn(
    `The server did not return ${agentgraph}_config_path, which was sent, and may know it under another name. ` +
      `If it does: ${howToSetVocabulary(other)}`,
  );
}

class RolloutWatcher {
  private readonly startedAt: number;
  private readonly run: DeploymentsOfRun;
  private readonly liveLog: ReturnType<typeof createLiveLog>;
  private revisionId: string;
  private interruptedAt: number | undefined;
  private status = "";
  private statusMessage: string | undefined;
  private nextRevisionPollAt: number | undefined;
  private notFoundSince: number | undefined;
  /** What an outdated response may name as the latest: it is live already, or was superseded. */
  private readonly earlierIds: Set<string | null | undefined>;

  constructor(
    private readonly deployment: Deployment,
    private readonly desired: Inputs,
    private readonly ctx: Context,
    private readonly options: Required<RolloutOptions>,
  ) {
    this.startedAt = ctx.clock.monotonic();
    this.run = ctx.scope.get(DeploymentsOfRun);
    this.liveLog = ctx.settings.streamLogs === false ? undefined : createLiveLog(deployment.id, desired, ctx);
    this.revisionId = deployment.latestRevisionId ?? "";
    const earlier = options.earlier.map(({ latestRevisionId }) => latestRevisionId);
    this.earlierIds = new Set([deployment.activeRevisionId, this.revisionId, ...earlier]);
  }

  async wait(): Promise<Deployment> {
    const what = `revision ${this.revisionId} of deployment ${this.deployment.id} to be DEPLOYED`;
    this.run.rolloutCount += 1;
    try {
      const live = await this.options.wait({ kind: "rollout", what, poll: this.poll });
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

  private readonly poll = async (): Promise<PollResult<Deployment>> => {
    const { ctx } = this;
    const result = await this.request();
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
  };

  /**
   * With many waits, polls the list each time, and the revision itself only occasionally, to detect failures; with few,
   * the revision. Once several rollouts were in progress at the same time, a wait polls the deployment first, which may
   * be live already. The list does not show the end of an interruption.
   */
  private async request(): Promise<RevisionPoll> {
    const { run, revisionId, nextRevisionPollAt } = this;
    const { id } = this.deployment;
    const { controlPlane, deploymentCache } = this.ctx.clients;
    run.hasConcurrentRollouts ||= run.rolloutCount > 1;
    const isFirst = nextRevisionPollAt === undefined;
    const isShared = run.sharesRolloutPolls && this.status !== "INTERRUPTED";
    const now = this.ctx.clock.monotonic();
    if (isFirst || now >= nextRevisionPollAt) this.nextRevisionPollAt = now + run.rolloutCount * REVISION_POLL_MS;
    if (isShared || (isFirst && run.hasConcurrentRollouts)) {
      // Often there is nothing to wait for, so the first poll does not wait long for others.
      const listed = await (isFirst ? controlPlane.readDeployment(id).catch(ignoreNotFound) : deploymentCache.poll(id));
      if (listed?.activeRevisionId === revisionId) return { active: listed, isShared };
      if (listed && isShared && (isFirst || now < nextRevisionPollAt)) return { isShared };
    }
    return { ...(await this.requestRevision()), isShared };
  }

  private async requestRevision(): Promise<Omit<RevisionPoll, "isShared">> {
    const { clock, clients } = this.ctx;
    try {
      const { status, statusMessage } = await clients.controlPlane.getRevision(this.deployment.id, this.revisionId);
      this.statusMessage = statusMessage ?? undefined;
      const hasEnded = status === "DEPLOYED" || status === "SKIPPED";
      const current = hasEnded ? await clients.controlPlane.getDeployment(this.deployment.id) : undefined;
      this.notFoundSince = undefined;
      const isActive = status === "DEPLOYED" && current?.activeRevisionId === this.revisionId;
      return isActive ? { active: current } : { status, ...(current && { current }) };
    } catch (error) {
      if (!(error instanceof HttpError && error.isNotFound)) throw error;
      this.notFoundSince ??= clock.monotonic();
      if (clock.monotonic() - this.notFoundSince >= MAX_OUTDATED_MS) throw error;
      return {};
    }
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

  /** Follows a superseding revision: DEPLOYED alone is not live, and SKIPPED means that a newer revision exists. */
  private followSuperseding({ latestRevisionId }: Deployment): void {
    if (latestRevisionId == null || this.earlierIds.has(latestRevisionId)) return;
    this.earlierIds.add(latestRevisionId);
    this.ctx.log.warn(
      `revision ${this.revisionId} was superseded by ${latestRevisionId}; waiting for that one instead.`,
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
    const { cause, message, tail } = await diagnose({ ...failed, statusMessage: this.statusMessage }, ctx);
    const current = (await ctx.clients.controlPlane.getDeployment(deployment.id).catch(ignoreHttpError)) ?? undefined;
    const live = await describeLive(current, revisionId, ctx);
    const other = vocabularyIn([cause, message, ...tail].join("\n"), ctx.settings.vocabulary);
    showFailure(what, cause, ctx);
    return new RolloutError({
      summary: `Deployment "${desired.name}": revision rollout ${what}.`,
      details: [
        ["cause", cause],
        ["message", message],
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
