/** Waiting for a deployment's newest revision to serve, and saying exactly why it does not (interface-notes section 2). */
import type { Deployment, DeploymentBody } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { formatDuration, type PollResult, type Wait, WaitTimeoutError } from "../../../definition/wait";
import type { Inputs } from "../inputs";
import { fleetHint } from "./fleet-hint";
import { waitUntilHealthy } from "./health";
import { diagnose } from "./logs";
import { RolloutError } from "./rollout-error";

const FAILED = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"]);
/** The service may move on by itself after an interruption: this long it gets. */
const GRACE_MS = 60_000;

const ONE_MORE_ATTEMPT = "Fix the cause and run `pulumi up` again. If nothing changed, one more attempt is made.";

/** Of newer revisions that take the place of the one that is waited for. */
const MAX_WARNINGS = 3;
/** From so many waits at once on, their looks are shared: the list tells which revision is active. */
const SHARED_FROM = 5;
/** Among many, a look at a revision of its own comes so many milliseconds times their number after the last. */
const OWN_LOOK_MS = 200;
/** How many deployments this process waits for. */
let waits = 0;

/**
 * Waits until the newest revision is DEPLOYED and active, and with `waitFor: "healthy"` until the agent answers.
 * @param wait How long; what is left of the operation's time when absent.
 * @throws RolloutError with cause, IDs, log tail and next step.
 */
export async function rollout(
  deployment: Deployment,
  wanted: Inputs,
  ctx: Context,
  wait: Wait = ctx.waitUntil,
): Promise<Deployment> {
  if (wanted.waitFor === "none" || deployment.latestRevisionId == null) return deployment;
  const startedAt = ctx.clock.monotonic();
  fleetHint.enter(startedAt);
  try {
    const live = await new Watch(deployment, wanted, ctx, wait).wait();
    if (wanted.waitFor === "healthy") await waitUntilHealthy(live, wanted, ctx, wait, startedAt);
    return live;
  } finally {
    fleetHint.leave(ctx.clock.monotonic());
  }
}

/** The newest revision has already ended badly: resuming it would fail at once. */
export async function hasFailed({ id, latestRevisionId }: Deployment, ctx: Context): Promise<boolean> {
  if (latestRevisionId == null) return false;
  return isFailed((await ctx.clients.controlPlane.getRevision(id, latestRevisionId)).status);
}

/** Whether a revision ended without ever being live. */
export const isFailed = (status: string): boolean => FAILED.has(status) || status === "INTERRUPTED";

/** The body of a PATCH that deploys the same content again: an unchanged, non-null field (interface section 3, rule 1). */
export function sameContent({
  sourceRevisionConfig = {},
}: Pick<Deployment, "sourceRevisionConfig"> | Inputs): DeploymentBody | undefined {
  const { imageUri, sourceTarballPath, repoRef, agentgraphConfigPath } = sourceRevisionConfig;
  const fields = Object.entries({ imageUri, sourceTarballPath, repoRef, agentgraphConfigPath });
  const first = fields.find(([, value]) => value);
  return first && { sourceRevisionConfig: Object.fromEntries([first]) };
}

class Watch {
  private readonly startedAt: number;
  private revisionId: string;
  private interruptedAt: number | undefined;
  private status = "";
  /** How many newer revisions took the place of the one that was waited for. */
  private followed = 0;
  private nextLookAt: number | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly wanted: Inputs,
    private readonly ctx: Context,
    private readonly waitUntil: Wait,
  ) {
    this.startedAt = ctx.clock.monotonic();
    this.revisionId = deployment.latestRevisionId ?? "";
  }

  async wait(): Promise<Deployment> {
    const what = `revision ${this.revisionId} of deployment ${this.deployment.id} to be DEPLOYED`;
    try {
      waits += 1;
      const live = await this.waitUntil({ what, poll: () => this.look() });
      this.ctx.log.progress(`DEPLOYED, ${this.waited()}`);
      return live;
    } catch (error) {
      if (error instanceof WaitTimeoutError)
        throw await this.failure(
          error.lastStatus,
          `did not finish within ${this.waited()} (${error.lastStatus})`,
          "Run `pulumi up` again to keep waiting, or set customTimeouts to wait longer.",
        );
      throw error;
    } finally {
      waits -= 1;
    }
  }

  /**
   * Among many waits the list is looked at each time, and the revision itself, for failures, only now and then. Among a few
   * the deployment is looked at first: in a rollout without work to do it serves already, and there is nothing to wait for.
   */
  private async look(): Promise<PollResult<Deployment>> {
    const { ctx, deployment, nextLookAt } = this;
    const hint = fleetHint.take(ctx.clock.monotonic());
    if (hint) ctx.log.infoOnStack(hint);
    const isFirst = nextLookAt === undefined;
    if (waits >= (isFirst ? 2 : SHARED_FROM) && this.status !== "INTERRUPTED") {
      const seen = await (isFirst
        ? ctx.clients.deploymentCache.firstLook(deployment.id)
        : ctx.clients.deploymentCache.look(deployment.id));
      if (seen?.activeRevisionId === this.revisionId) return { done: seen };
      if (seen && !isFirst && ctx.clock.monotonic() < nextLookAt) return { pending: this.status };
    }
    this.nextLookAt = this.ctx.clock.monotonic() + waits * OWN_LOOK_MS;
    return this.lookAtRevision();
  }

  private async lookAtRevision(): Promise<PollResult<Deployment>> {
    const { status } = await this.ctx.clients.controlPlane.getRevision(this.deployment.id, this.revisionId);
    this.status = status;
    if (status !== "INTERRUPTED") this.interruptedAt = undefined;
    if (FAILED.has(status)) throw await this.failure(status, `failed with ${status} after ${this.waited()}`);
    if (status === "DEPLOYED" || status === "SKIPPED") return this.follow(status);
    if (status === "INTERRUPTED") await this.grace(status);
    return { pending: status };
  }

  /** DEPLOYED alone is not live: a superseded revision keeps the word. SKIPPED: a newer revision overtook it. */
  private async follow(status: string): Promise<PollResult<Deployment>> {
    const now = await this.ctx.clients.controlPlane.getDeployment(this.deployment.id);
    if (status === "DEPLOYED" && now.activeRevisionId === this.revisionId) return { done: now };
    if (now.latestRevisionId != null && now.latestRevisionId !== this.revisionId) {
      this.followed += 1;
      const last = this.followed === MAX_WARNINGS ? " Later ones are followed without a warning." : "";
      if (this.followed <= MAX_WARNINGS)
        this.ctx.log.warn(
          `revision ${this.revisionId} was superseded by ${now.latestRevisionId}; waiting for that one instead.${last}`,
        );
      this.revisionId = now.latestRevisionId;
    }
    return { pending: status === "DEPLOYED" ? "DEPLOYED, not yet active" : status };
  }

  private async grace(status: string): Promise<void> {
    const now = this.ctx.clock.monotonic();
    this.interruptedAt ??= now;
    if (now - this.interruptedAt >= GRACE_MS)
      throw await this.failure(status, `stayed ${status} for ${formatDuration(GRACE_MS)}`);
  }

  private waited(): string {
    return formatDuration(this.ctx.clock.monotonic() - this.startedAt);
  }

  private async failure(status: string, what: string, hint = ONE_MORE_ATTEMPT): Promise<RolloutError> {
    const { ctx, deployment, revisionId, wanted } = this;
    const { cause, tail } = await diagnose(ctx.clients.revisions, {
      deploymentId: deployment.id,
      name: wanted.name,
      revisionId,
      status,
      redact: ctx.log.redact,
    });
    const active = deployment.activeRevisionId;
    return new RolloutError({
      summary: `Deployment "${wanted.name}": revision rollout ${what}.`,
      details: [
        ["cause", cause],
        ["deployment", deployment.id],
        ["revision", revisionId],
        ["image", wanted.sourceRevisionConfig?.imageUri],
        ["ref", wanted.sourceRevisionConfig?.repoRef],
      ],
      log: tail,
      live: active == null ? "nothing yet" : `${active} (the previous revision)`,
      hint,
      remote: deployment,
    });
  }
}
