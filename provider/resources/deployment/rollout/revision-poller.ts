/** Asks how far a rollout is, with few requests when many deployments roll out at the same time. */
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { DeploymentsOfRun } from "../deployments-of-run";

/** With many waits, each one polls its own revision at this interval times the number of waits. */
const REVISION_POLL_MS = 200;

/** How often in a row a poll may find no revision: a replica of the server may not have a new one yet. */
const MAX_NOT_FOUND = 5;

/** What a poll shows. */
export interface RevisionPoll {
  /** The deployment, once the revision is active. */
  active?: Deployment;
  /** The status of the revision; absent when only the list was read, or the revision was not found. */
  status?: string;
  /** The deployment while a revision that has ended is not active: another one may have superseded it. */
  current?: Deployment;
  /** Whether the request serves many waits. */
  isShared: boolean;
}

export class RevisionPoller {
  private readonly run: DeploymentsOfRun;
  private nextRevisionPollAt: number | undefined;
  private notFoundCount = 0;

  constructor(
    private readonly id: string,
    private readonly ctx: Context,
  ) {
    this.run = ctx.scope.get(DeploymentsOfRun);
    this.run.rolloutCount += 1;
  }

  /** Ends the wait, which counts among those that share polls until then. */
  stop(): void {
    this.run.rolloutCount -= 1;
  }

  /**
   * With many waits, polls the list each time, and the revision itself only occasionally, to detect failures. With few waits,
   * polls the revision each time. Once several rollouts have been in progress at the same time in this run, a wait polls the
   * deployment first, because one without work to do is live already.
   * @param lastStatus The status of the revision in the last poll that returned one; the list does not show the end of an interruption.
   */
  async poll(revisionId: string, lastStatus: string): Promise<RevisionPoll> {
    const { id, run, nextRevisionPollAt } = this;
    const { deploymentCache } = this.ctx.clients;
    run.hasConcurrentRollouts ||= run.rolloutCount > 1;
    const isFirst = nextRevisionPollAt === undefined;
    const isShared = run.sharesRolloutPolls && lastStatus !== "INTERRUPTED";
    const now = this.ctx.clock.monotonic();
    if (isFirst || now >= nextRevisionPollAt) this.nextRevisionPollAt = now + run.rolloutCount * REVISION_POLL_MS;
    if (isShared || (isFirst && run.hasConcurrentRollouts)) {
      const listed = await (isFirst ? deploymentCache.pollAtOnce(id) : deploymentCache.poll(id));
      if (listed?.activeRevisionId === revisionId) return { active: listed, isShared };
      if (listed && isShared && (isFirst || now < nextRevisionPollAt)) return { isShared };
    }
    return { ...(await this.pollRevision(revisionId)), isShared };
  }

  private async pollRevision(revisionId: string): Promise<Omit<RevisionPoll, "isShared">> {
    const { controlPlane } = this.ctx.clients;
    try {
      const { status } = await controlPlane.getRevision(this.id, revisionId);
      const hasEnded = status === "DEPLOYED" || status === "SKIPPED";
      const current = hasEnded ? await controlPlane.getDeployment(this.id) : undefined;
      this.notFoundCount = 0;
      const isActive = status === "DEPLOYED" && current?.activeRevisionId === revisionId;
      return isActive ? { active: current } : { status, ...(current && { current }) };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isNotFound || ++this.notFoundCount > MAX_NOT_FOUND) throw error;
      return {};
    }
  }
}
