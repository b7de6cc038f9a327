/** Deploying content again: a trigger, a new attempt after a failure, a roll-back. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { RolledBackError, type UpdateRequest } from "../../../definition/results";
import { HttpError } from "../../../http/errors";
import { UserError } from "../../../text/user-error";
import { updateDeployment } from "../create/requests";
import type { Inputs } from "../inputs";
import {
  hasPathUnder,
  markerIn,
  pickRevisionConfig,
  type RevisionConfig,
  toInputs,
  toState,
  toUpdateRequest,
} from "../mapping";
import type { State } from "../outputs";
import { hasLatestRevisionFailed, toRedeployRequest, waitForRollout } from "./rollout";
import { formatReport, RolloutError } from "./rollout-error";

/** Nothing sent made a revision, but one is wanted: a trigger changed, or the last one failed, as it would again at once. */
export async function redeployIfNeeded(
  remote: RemoteDeployment,
  { inputs: desired, paths }: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<RemoteDeployment> {
  const isTriggered = hasPathUnder(paths, "redeployTriggers");
  const isRetry = !isTriggered && (await hasLatestRevisionFailed(remote, ctx));
  if (!isTriggered && !isRetry) return remote;
  if (isRetry) ctx.log.warn("the newest revision had failed; this is one new attempt with the same content.");
  const redeployed = await redeployRevision(remote, remote.latestRevisionId, ctx);
  if (redeployed) return redeployed;
  const body = toRedeployRequest(desired) ?? toRedeployRequest(remoteRevisionConfig(remote, desired));
  if (body) return updateDeployment(remote.id, body, remote, isNewRevision(remote), ctx);
  ctx.log.warn(
    "the content is not deployed again: this service has no way to do it, and no field of a revision is set.",
  );
  return remote;
}

/** Deploys a revision's content again by its own route; undefined where the service has none. */
async function redeployRevision(
  remote: RemoteDeployment,
  revisionId: string | null | undefined,
  ctx: Context,
): Promise<RemoteDeployment | undefined> {
  if (revisionId == null) return undefined;
  try {
    return await ctx.clients.controlPlane.redeployRevision(remote.id, revisionId);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.outcomeUnknown) return resolveLostRedeploy(remote, error, ctx);
    if (error.isUnsupportedRoute) return undefined;
    throw error;
  }
}

const isNewRevision = (remoteBefore: RemoteDeployment) => (remoteAfter: RemoteDeployment) =>
  remoteAfter.latestRevisionId !== remoteBefore.latestRevisionId;

/** The answer was lost: a revision that was not there before tells that it was done. */
async function resolveLostRedeploy(
  remoteBefore: RemoteDeployment,
  error: HttpError,
  ctx: Context,
): Promise<RemoteDeployment> {
  const remote = await ctx.clients.controlPlane.getDeployment(remoteBefore.id);
  if (remote.latestRevisionId === remoteBefore.latestRevisionId) throw error;
  return remote;
}

/**
 * Begins the roll-back. The revision that served holds its own content, but not what belongs to the deployment: where
 * that changed too, or the service has no route for it, all of it is sent backwards.
 */
async function startRollback(
  remoteBefore: RemoteDeployment,
  remote: RemoteDeployment,
  change: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<RemoteDeployment> {
  const { inputs: desired, previous } = change;
  const reverted = { ...change, inputs: previous, previous: { ...previous, ...desired } };
  const { sourceRevisionConfig: _, ...lasting } =
    toUpdateRequest(reverted, remote, markerIn(remote) ?? ctx.owner) ?? {};
  const redeployed =
    Object.keys(lasting).length === 0 ? await redeployRevision(remote, remoteBefore.activeRevisionId, ctx) : undefined;
  if (redeployed) return redeployed;
  const sourceRevisionConfig = await previousRevisionConfig(remoteBefore, remote, previous, ctx);
  const makesRevision =
    Object.keys(sourceRevisionConfig).length > 0 || lasting.secrets || lasting.sourceConfig?.resourceSpec;
  const content = makesRevision ? { sourceRevisionConfig } : toRedeployRequest(remoteRevisionConfig(remote, previous));
  return updateDeployment(remote.id, { ...lasting, ...content }, remote, isNewRevision(remote), ctx);
}

/**
 * The fields in which the revision that served was made of something else.
 * @throws UserError when one was not set then: no PATCH can remove it.
 */
async function previousRevisionConfig(
  remoteBefore: RemoteDeployment,
  remote: RemoteDeployment,
  previous: Inputs,
  ctx: Context,
): Promise<RevisionConfig> {
  const revision = await ctx.clients.controlPlane.getRevision(remoteBefore.id, remoteBefore.activeRevisionId ?? "");
  const live = pickRevisionConfig(revision.sourceRevisionConfig ?? remoteBefore.sourceRevisionConfig, previous);
  const failed = pickRevisionConfig(remote.sourceRevisionConfig, previous);
  const changed = Object.entries(live).filter(([field, value]) => value !== failed[field as keyof RevisionConfig]);
  const unset = changed.find(([, value]) => value === undefined);
  if (unset)
    throw new UserError(
      `it had no ${unset[0]}, and this service cannot be told so. Declare the ${unset[0]} that is to run.`,
    );
  return Object.fromEntries(changed);
}

const remoteRevisionConfig = (remote: RemoteDeployment, desired: Inputs) => ({
  sourceRevisionConfig: pickRevisionConfig(remote.sourceRevisionConfig, desired),
});

/**
 * `rollbackOnFailure`: the last good revision is deployed again, and the update still fails. What failed may have taken
 * all of the operation's time, so this has as much again.
 */
export async function rollBack(
  error: unknown,
  remoteBefore: RemoteDeployment,
  remoteAfter: RemoteDeployment,
  change: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<RemoteDeployment> {
  const { inputs: desired, previous } = change;
  const hasNewRevision = remoteAfter.latestRevisionId !== remoteBefore.latestRevisionId;
  const goodRevisionId = remoteBefore.activeRevisionId;
  if (!(error instanceof RolloutError) || !desired.rollbackOnFailure || !hasNewRevision || goodRevisionId == null)
    throw error;
  const { failure } = error;
  const stateOf = (remote: RemoteDeployment) => toState(remote, toState(remoteBefore, previous));
  ctx.log.progress(`rolling back to revision ${goodRevisionId}`);
  let started: RemoteDeployment | undefined;
  try {
    started = await startRollback(remoteBefore, remoteAfter, change, ctx);
    const restored = await waitForRollout(
      started,
      { ...previous, waitFor: desired.waitFor },
      ctx,
      ctx.newWait("rolling back: "),
    );
    const done = `Rolled back: the content of revision ${goodRevisionId} is live again, as revision ${restored.latestRevisionId}.`;
    const hint = "Fix the cause and run `pulumi up` again to deploy the change.";
    throw new RolledBackError(
      [...formatReport(failure), done, hint].join("\n"),
      inputsAfterRollback(restored, remoteBefore, previous, ctx),
      stateOf(restored),
    );
  } catch (rollbackError) {
    if (rollbackError instanceof RolledBackError) throw rollbackError;
    const rollbackFailure = rollbackError instanceof RolloutError ? rollbackError.failure : undefined;
    const report = rollbackFailure
      ? formatReport(rollbackFailure, rollbackFailure.live.replace("this revision", "the rollback's revision"))
      : [messageOf(rollbackError)];
    const [headline, ...rest] = report;
    const hint = "Fix the cause and run `pulumi up` again to deploy what the program declares.";
    throw new RolledBackError(
      [
        ...formatReport(failure),
        `The rollback to revision ${goodRevisionId} failed too: ${headline}`,
        ...rest,
        hint,
      ].join("\n"),
      // Where no rollback began, the newest revision still holds what is declared.
      started ? previous : desired,
      stateOf(rollbackFailure?.remote ?? started ?? failure.remote),
    );
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What state holds after a roll-back: what is live. A folder that failed before that is sent again by the next run. */
function inputsAfterRollback(
  restored: RemoteDeployment,
  remoteBefore: RemoteDeployment,
  previous: Inputs,
  ctx: Context,
): Inputs {
  const merged = toInputs(restored, previous, { isManaged: true, notReturned: ctx.notReturned });
  const isOtherTarball =
    restored.sourceRevisionConfig?.sourceTarballPath !== remoteBefore.sourceRevisionConfig?.sourceTarballPath;
  return isOtherTarball ? { ...merged, sourceDigest: undefined } : merged;
}
