/** Waiting for a deployment's newest revision to serve, and saying exactly why it does not (interface-notes section 2). */
import type { ControlPlane, Deployment, LogLine } from "../api/control-plane";
import type { Context } from "../definition";
import { PlainError, RequestError } from "../http/errors";
import { seconds, type Verdict, WaitTimeout } from "../wait";

const FAILED = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"]);
/** The service may move on by itself after an interruption: this long it gets. */
const GRACE_MS = 60_000;
const LOG_LINES = 30;

interface Wanted {
  name: string;
  sourceRevisionConfig: { imageUri?: string };
  secrets?: Record<string, string>;
}

/** The revision ended, or its time did. The message is what an engineer reads at night. */
export class RolloutError extends PlainError {
  override name = "RolloutError";
}

/**
 * Waits until the newest revision is DEPLOYED and active.
 * @param retryFailed Whether a revision that has already failed gets one new attempt: set when an earlier run is resumed.
 * @throws RolloutError with cause, ids, log tail and next step.
 */
export async function rollout(
  id: string,
  wanted: Wanted,
  ctx: Context,
  { retryFailed = false } = {},
): Promise<Deployment> {
  const before = await ctx.controlPlane.getDeployment(id);
  if (before.latestRevisionId == null) return before;
  const watch = new Watch(before, wanted, ctx);
  return retryFailed && (await watch.hasFailed())
    ? new Watch(await newAttempt(before, wanted, ctx), wanted, ctx).wait()
    : watch.wait();
}

/** A revision field with its unchanged value makes a revision on every server (interface section 3, rule 1). */
async function newAttempt({ id }: Deployment, wanted: Wanted, ctx: Context): Promise<Deployment> {
  ctx.progress("the last revision failed: a new attempt");
  return ctx.controlPlane.updateDeployment(id, { sourceRevisionConfig: wanted.sourceRevisionConfig });
}

class Watch {
  private readonly startedAt: number;
  private revisionId: string;
  private interruptedAt: number | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly wanted: Wanted,
    private readonly ctx: Context,
  ) {
    this.startedAt = ctx.clock.now();
    this.revisionId = deployment.latestRevisionId ?? "";
  }

  async hasFailed(): Promise<boolean> {
    const { status } = await this.ctx.controlPlane.getRevision(this.deployment.id, this.revisionId);
    return FAILED.has(status) || status === "INTERRUPTED";
  }

  async wait(): Promise<Deployment> {
    const what = `the revision of deployment ${this.deployment.id} to be DEPLOYED`;
    try {
      const live = await this.ctx.waitUntil({ what, look: () => this.look() });
      this.ctx.progress(`DEPLOYED, ${seconds(this.ctx.clock.now() - this.startedAt)}`);
      return live;
    } catch (error) {
      if (error instanceof WaitTimeout) throw await this.failure(error.lastStatus, "did not finish in time");
      throw error;
    }
  }

  private async look(): Promise<Verdict<Deployment>> {
    const { status } = await this.ctx.controlPlane.getRevision(this.deployment.id, this.revisionId);
    if (status !== "INTERRUPTED") this.interruptedAt = undefined;
    if (FAILED.has(status)) throw await this.failure(status, "failed");
    if (status === "DEPLOYED" || status === "SKIPPED") return this.follow(status);
    if (status === "INTERRUPTED") await this.grace(status);
    return { pending: status };
  }

  /** DEPLOYED alone is not live: a superseded revision keeps the word. SKIPPED: a newer revision overtook it. */
  private async follow(status: string): Promise<Verdict<Deployment>> {
    const now = await this.ctx.controlPlane.getDeployment(this.deployment.id);
    if (status === "DEPLOYED" && now.activeRevisionId === this.revisionId) return { done: now };
    if (now.latestRevisionId != null && now.latestRevisionId !== this.revisionId) {
      this.ctx.warn(
        `revision ${this.revisionId} was overtaken by ${now.latestRevisionId}, which is waited for instead.`,
      );
      this.revisionId = now.latestRevisionId;
    }
    return { pending: status === "DEPLOYED" ? "DEPLOYED, not yet active" : status };
  }

  private async grace(status: string): Promise<void> {
    const now = this.ctx.clock.now();
    this.interruptedAt ??= now;
    if (now - this.interruptedAt >= GRACE_MS)
      throw await this.failure(status, `stayed interrupted for ${seconds(GRACE_MS)}`);
  }

  private async failure(status: string, what: string): Promise<RolloutError> {
    const { ctx, deployment, revisionId, wanted } = this;
    const log = await tail(ctx.controlPlane, deployment.id, revisionId, status, wanted.secrets ?? {});
    return new RolloutError(
      [
        `Deployment "${wanted.name}": its revision ${what} (${status} after ${seconds(ctx.clock.now() - this.startedAt)}).`,
        `  deployment ${deployment.id}`,
        `  revision   ${revisionId}`,
        ...(wanted.sourceRevisionConfig.imageUri ? [`  image      ${wanted.sourceRevisionConfig.imageUri}`] : []),
        ...log,
        FAILED.has(status)
          ? "Mend the cause and run `pulumi up` again. Without a change it makes one new attempt; what served before still serves."
          : "Run `pulumi up` again to go on waiting; a longer wait: the resource option customTimeouts.",
      ].join("\n"),
    );
  }
}

/** The last lines of the right log, without the values of secrets; where there is none, where to look. */
async function tail(
  controlPlane: ControlPlane,
  id: string,
  revisionId: string,
  status: string,
  secrets: Record<string, string>,
): Promise<string[]> {
  const type = /BUILD|CREATE|QUEUED/.test(status) ? "build" : "deploy";
  try {
    const lines = await controlPlane.lastLogLines(id, revisionId, type, LOG_LINES);
    if (lines.length === 0) return [`The ${type} log is empty.`];
    return [
      `The last ${lines.length} lines of the ${type} log:`,
      ...lines.map((line) => `  | ${mask(show(line), secrets)}`),
    ];
  } catch (error) {
    const why = error instanceof RequestError ? error.brief : "no answer";
    return [`The ${type} log could not be read (${why}): look at this revision in the service's own console.`];
  }
}

const show = ({ timestamp, level, message }: LogLine) => [timestamp, level, message].filter(Boolean).join(" ");

/** Replaces the values of secrets, also line by line and as JSON writes them. */
export function mask(text: string, secrets: Record<string, string>): string {
  const forms = Object.values(secrets).flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    ...value.split("\n"),
  ]);
  const found = [...new Set(forms)].filter((form) => form.trim() !== "").sort((a, b) => b.length - a.length);
  return found.reduce((masked, form) => masked.replaceAll(form, "[secret]"), text);
}
