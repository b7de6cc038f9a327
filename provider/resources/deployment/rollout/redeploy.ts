/** Deploying content again: a trigger, a new attempt after a failure, a roll-back. */
import type { Deployment as Answer } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { RolledBackError, type UpdateRequest } from "../../../definition/results";
import { HttpError } from "../../../http/errors";
import { UserError } from "../../../text/user-error";
import { updateOnce } from "../create/requests";
import type { Inputs } from "../inputs";
import { below, type Content, contentOf, markerIn, patchBody, toInputs, toState } from "../mapping";
import type { State } from "../outputs";
import { hasFailed, rollout, sameContent } from "./rollout";
import { RolloutError, reportOf } from "./rollout-error";

/** Nothing sent made a revision, but one is wanted: a trigger changed, or the last one failed, as it would again at once. */
export async function deployAgain(
  now: Answer,
  { inputs: wanted, paths }: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const triggered = below(paths, "redeployTriggers");
  const resumes = !triggered && (await hasFailed(now, ctx));
  if (!triggered && !resumes) return now;
  if (resumes) ctx.log.warn("the newest revision had failed; this is one new attempt with the same content.");
  const again = await byRoute(now, now.latestRevisionId, ctx);
  if (again) return again;
  const body = sameContent(wanted) ?? sameContent(heldContent(now, wanted));
  if (body) return updateOnce(now.id, body, now, isNewRevision(now), ctx);
  ctx.log.warn(
    "the content is not deployed again: this service has no way to do it, and no field of a revision is set.",
  );
  return now;
}

/** Deploys a revision's content again by its own route; undefined where the service has none. */
async function byRoute(now: Answer, revisionId: string | null | undefined, ctx: Context): Promise<Answer | undefined> {
  if (revisionId == null) return undefined;
  try {
    return await ctx.clients.controlPlane.redeployRevision(now.id, revisionId);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.outcomeUnknown) return settled(now, error, ctx);
    if (error.isUnsupportedRoute) return undefined;
    throw error;
  }
}

const isNewRevision = (before: Answer) => (after: Answer) => after.latestRevisionId !== before.latestRevisionId;

/** The answer was lost: a revision that was not there before tells that it was done. */
async function settled(before: Answer, error: HttpError, ctx: Context): Promise<Answer> {
  const now = await ctx.clients.controlPlane.getDeployment(before.id);
  if (now.latestRevisionId === before.latestRevisionId) throw error;
  return now;
}

/**
 * Begins the roll-back. The revision that served holds its own content, but not what belongs to the deployment: where
 * that changed too, or the service has no route for it, all of it is sent backwards.
 */
async function restore(
  before: Answer,
  now: Answer,
  change: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const { inputs: wanted, previous } = change;
  const backwards = { ...change, inputs: previous, previous: { ...previous, ...wanted } };
  const { sourceRevisionConfig: _, ...lasting } = patchBody(backwards, now, markerIn(now) ?? ctx.owner) ?? {};
  const again = Object.keys(lasting).length === 0 ? await byRoute(now, before.activeRevisionId, ctx) : undefined;
  if (again) return again;
  const sourceRevisionConfig = await contentThatServed(before, now, previous, ctx);
  const makesRevision =
    Object.keys(sourceRevisionConfig).length > 0 || lasting.secrets || lasting.sourceConfig?.resourceSpec;
  const content = makesRevision ? { sourceRevisionConfig } : sameContent(heldContent(now, previous));
  return updateOnce(now.id, { ...lasting, ...content }, now, isNewRevision(now), ctx);
}

/**
 * The fields in which the revision that served was made of something else.
 * @throws UserError when one was not set then: no PATCH can remove it.
 */
async function contentThatServed(before: Answer, now: Answer, previous: Inputs, ctx: Context): Promise<Content> {
  const told = await ctx.clients.controlPlane.getRevision(before.id, before.activeRevisionId ?? "");
  const served = contentOf(told.sourceRevisionConfig ?? before.sourceRevisionConfig, previous);
  const failed = contentOf(now.sourceRevisionConfig, previous);
  const moved = Object.entries(served).filter(([field, value]) => value !== failed[field as keyof Content]);
  const unset = moved.find(([, value]) => value === undefined);
  if (unset)
    throw new UserError(
      `it had no ${unset[0]}, and this service cannot be told so. Declare the ${unset[0]} that is to run.`,
    );
  return Object.fromEntries(moved);
}

const heldContent = (now: Answer, wanted: Inputs) => ({
  sourceRevisionConfig: contentOf(now.sourceRevisionConfig, wanted),
});

/**
 * `rollbackOnFailure`: the last good revision is deployed again, and the update still fails. What failed may have taken
 * all of the operation's time, so this has as much again.
 */
export async function rollBack(
  error: unknown,
  before: Answer,
  after: Answer,
  change: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const { inputs: wanted, previous } = change;
  const started = after.latestRevisionId !== before.latestRevisionId;
  const good = before.activeRevisionId;
  if (!(error instanceof RolloutError) || !wanted.rollbackOnFailure || !started || good == null) throw error;
  const { failure } = error;
  const stateOf = (remote: Answer) => toState(remote, toState(before, previous));
  ctx.log.progress(`rolling back to revision ${good}`);
  let begun: Answer | undefined;
  try {
    begun = await restore(before, after, change, ctx);
    const restored = await rollout(begun, { ...previous, waitFor: wanted.waitFor }, ctx, ctx.newWait("rolling back: "));
    const done = `Rolled back: the content of revision ${good} is live again, as revision ${restored.latestRevisionId}.`;
    const hint = "Fix the cause and run `pulumi up` again to deploy the change.";
    throw new RolledBackError(
      [...reportOf(failure), done, hint].join("\n"),
      asServed(restored, before, previous, ctx),
      stateOf(restored),
    );
  } catch (second) {
    if (second instanceof RolledBackError) throw second;
    const inner = second instanceof RolloutError ? second.failure : undefined;
    const why = inner
      ? reportOf(inner, inner.live.replace("this revision", "the rollback's revision"))
      : [messageOf(second)];
    const [headline, ...rest] = why;
    const hint = "Fix the cause and run `pulumi up` again to deploy what the program declares.";
    throw new RolledBackError(
      [...reportOf(failure), `The rollback to revision ${good} failed too: ${headline}`, ...rest, hint].join("\n"),
      // Where no rollback began, the newest revision still holds what is declared.
      begun ? previous : wanted,
      stateOf(inner?.remote ?? begun ?? failure.remote),
    );
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What state holds after a roll-back: what is live. A folder that failed before that is sent again by the next run. */
function asServed(restored: Answer, before: Answer, previous: Inputs, ctx: Context): Inputs {
  const seen = toInputs(restored, previous, { ours: true, notReturned: ctx.notReturned });
  const isOlder = restored.sourceRevisionConfig?.sourceTarballPath !== before.sourceRevisionConfig?.sourceTarballPath;
  return isOlder ? { ...seen, sourceDigest: undefined } : seen;
}
