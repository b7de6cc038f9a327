/** Deploying content again: a trigger, a new attempt after a failure, a roll-back. */
import type { Deployment as Answer } from "../../api/control-plane";
import { type Change, type Context, RevertedError } from "../../definition";
import { PlainError, RequestError } from "../../http/errors";
import type { Inputs } from "./inputs";
import type { State } from "./outputs";
import { hasFailed, RolloutError, rollout, sameContent } from "./rollout";
import { below, type Content, contentOf, markerIn, patchBody, toInputs, toState } from "./server-side";

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
  const again = await byRoute(now, now.latestRevisionId, ctx);
  if (again) return again;
  const body = sameContent(wanted) ?? sameContent(heldContent(now, wanted));
  if (body) return ctx.controlPlane.updateDeployment(now.id, body);
  ctx.warn("the content is not deployed again: this service has no way to do it, and no field of a revision is set.");
  return now;
}

/** Deploys a revision's content again by its own route; undefined where the service has none. */
async function byRoute(now: Answer, revisionId: string | null | undefined, ctx: Context): Promise<Answer | undefined> {
  if (revisionId == null) return undefined;
  try {
    return await ctx.controlPlane.redeployRevision(now.id, revisionId);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.mayHaveActed) return settled(now, error, ctx);
    if (error.maybeMissingRoute) return undefined;
    throw error;
  }
}

/** The answer was lost: a revision that was not there before tells that it was done. */
async function settled(before: Answer, error: RequestError, ctx: Context): Promise<Answer> {
  const now = await ctx.controlPlane.getDeployment(before.id);
  if (now.latestRevisionId === before.latestRevisionId) throw error;
  return now;
}

/**
 * Begins the roll-back. The revision that served holds its own content, but not what belongs to the deployment: where
 * that changed too, or the service has no route for it, all of it is sent backwards.
 */
async function restore(before: Answer, now: Answer, change: Change<Inputs, State>, ctx: Context): Promise<Answer> {
  const { inputs: wanted, previous, paths } = change;
  const backwards = { inputs: previous, previous: { ...previous, ...wanted }, paths };
  const { sourceRevisionConfig: _, ...lasting } = patchBody(backwards, now, markerIn(now) ?? ctx.owner) ?? {};
  const again = Object.keys(lasting).length === 0 ? await byRoute(now, before.activeRevisionId, ctx) : undefined;
  if (again) return again;
  const sourceRevisionConfig = await contentThatServed(before, now, previous, ctx);
  const makesRevision =
    Object.keys(sourceRevisionConfig).length > 0 || lasting.secrets || lasting.sourceConfig?.resourceSpec;
  const content = makesRevision ? { sourceRevisionConfig } : sameContent(heldContent(now, previous));
  return ctx.controlPlane.updateDeployment(now.id, { ...lasting, ...content });
}

/**
 * The fields in which the revision that served was made of something else.
 * @throws PlainError when one was not set then: no PATCH can take it away.
 */
async function contentThatServed(before: Answer, now: Answer, previous: Inputs, ctx: Context): Promise<Content> {
  const told = await ctx.controlPlane.getRevision(before.id, before.activeRevisionId ?? "");
  const served = contentOf(told.sourceRevisionConfig ?? before.sourceRevisionConfig, previous);
  const failed = contentOf(now.sourceRevisionConfig, previous);
  const moved = Object.entries(served).filter(([field, value]) => value !== failed[field as keyof Content]);
  const unset = moved.find(([, value]) => value === undefined);
  if (unset)
    throw new PlainError(
      `it had no ${unset[0]}, and this service cannot be told so. Declare the ${unset[0]} that is to run.`,
    );
  return Object.fromEntries(moved);
}

const heldContent = (now: Answer, wanted: Inputs) => ({
  sourceRevisionConfig: contentOf(now.sourceRevisionConfig, wanted),
});

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
    const restored = await rollout(begun, { ...previous, waitFor: wanted.waitFor }, ctx);
    throw new RevertedError(
      `${error.message}\nRolled back: the content of revision ${before.activeRevisionId} serves again, as revision ${restored.latestRevisionId}.`,
      asServed(restored, before, previous),
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

/** What state holds after a roll-back: what serves. A folder that failed before that is sent anew by the next run. */
function asServed(restored: Answer, before: Answer, previous: Inputs): Inputs {
  const seen = toInputs(restored, previous, true);
  const isOlder = restored.sourceRevisionConfig?.sourceTarballPath !== before.sourceRevisionConfig?.sourceTarballPath;
  return isOlder ? { ...seen, sourceDigest: undefined } : seen;
}
