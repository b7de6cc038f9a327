/** Deploying content again: a trigger, a new attempt after a failure, a roll-back. */
import type { Deployment as Answer } from "../../api/control-plane";
import { type Change, type Context, RevertedError } from "../../definition";
import { RequestError } from "../../http/errors";
import type { Inputs } from "./inputs";
import type { State } from "./outputs";
import { hasFailed, RolloutError, rollout, sameContent } from "./rollout";
import { below, markerIn, patchBody, toState } from "./server-side";

/** Nothing sent made a revision, but one is wanted: a trigger changed, or the last one failed, as it would again at once. */
export async function deployAgain(
  now: Answer,
  { inputs: wanted, paths }: Change<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const triggered = below(paths, "redeployTriggers");
  const resumes = !triggered && (await hasFailed(now, ctx));
  if (!triggered && !resumes) return now;
  if (resumes) ctx.warn("the newest revision had failed; this is one new attempt with the same content.");
  return redeploy(now, now.latestRevisionId, wanted, ctx);
}

/** Deploys a revision's content again: by its own route, or where that is missing by an unchanged field. */
async function redeploy(
  now: Answer,
  revisionId: string | null | undefined,
  content: Inputs,
  ctx: Context,
): Promise<Answer> {
  if (revisionId != null) {
    try {
      return await ctx.controlPlane.redeployRevision(now.id, revisionId);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.mayHaveActed) return settled(now, error, ctx);
      if (!error.maybeMissingRoute) throw error;
    }
  }
  const body = sameContent(content) ?? sameContent(now);
  return body ? ctx.controlPlane.updateDeployment(now.id, body) : now;
}

/** The answer was lost: a revision that was not there before tells that it was done. */
async function settled(before: Answer, error: RequestError, ctx: Context): Promise<Answer> {
  const now = await ctx.controlPlane.getDeployment(before.id);
  if (now.latestRevisionId === before.latestRevisionId) throw error;
  return now;
}

/**
 * Begins the roll-back. Secrets and the resource spec belong to the deployment, not to a revision: where they changed,
 * deploying the old revision again would leave them, so the whole change is sent backwards.
 */
async function restore(before: Answer, now: Answer, change: Change<Inputs, State>, ctx: Context): Promise<Answer> {
  const { inputs: wanted, previous, paths } = change;
  const backwards = { inputs: previous, previous: { ...previous, ...wanted }, paths };
  const body = patchBody(backwards, now, markerIn(now) ?? ctx.owner);
  if (!body?.secrets && !body?.sourceConfig?.resourceSpec) return redeploy(now, before.activeRevisionId, previous, ctx);
  // A folder that was sent stays uploaded: its old content is the old path.
  const sourceTarballPath = before.sourceRevisionConfig?.sourceTarballPath;
  const revision = { ...body.sourceRevisionConfig, ...(sourceTarballPath && { sourceTarballPath }) };
  return ctx.controlPlane.updateDeployment(now.id, { ...body, sourceRevisionConfig: revision });
}

/** `rollbackOnFailure`: the last good revision serves again, and the update still fails. */
export async function fallBack(
  error: unknown,
  before: Answer,
  after: Answer,
  change: Change<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const { inputs: wanted, previous } = change;
  const started = after.latestRevisionId !== before.latestRevisionId;
  if (!(error instanceof RolloutError) || !wanted.rollbackOnFailure || !started || before.activeRevisionId == null)
    throw error;
  ctx.progress(`the revision failed: deploying ${before.activeRevisionId} again`);
  try {
    const begun = await restore(before, after, change, ctx);
    const restored = await rollout(begun, previous, ctx);
    throw new RevertedError(
      `${error.message}\nRolled back: the content of revision ${before.activeRevisionId} serves again, as revision ${restored.latestRevisionId}.`,
      previous,
      { ...toState(restored), tracingProjectId: previous.tracingProjectId },
    );
  } catch (second) {
    if (second instanceof RevertedError) throw second;
    // The newest revision may hold either content: with the old one in state the next run compares, and tries again.
    throw new RevertedError(
      `${error.message}\nThe roll-back to revision ${before.activeRevisionId} failed too: ${second instanceof Error ? second.message : second}`,
      previous,
      { ...toState(after), tracingProjectId: previous.tracingProjectId },
    );
  }
}
