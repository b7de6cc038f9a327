/** Redeploys a revision: after a changed trigger, after a failure, and for a rollback. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { resolvePlaceholders } from "../../../schema/mapping";
import { fieldsAt, valueAt } from "../../../schema/schema";
import { messageOf, UserError } from "../../../text/user-error";
import {
  hasLatestRevisionFailed,
  makesRevision,
  redeployRevision,
  updateDeployment,
  waitForNewRevision,
} from "../applied";
import { type Change, changesRevision, hasPathUnder, toUpdateRequest } from "../mapping";
import { markerIn, schemaOf, toInputs, toState } from "../response";
import type { Inputs } from "../schema/inputs";
import { waitForRollout } from "./rollout";
import { formatReport, RolloutError, showFailure } from "./rollout-error";

type RevisionConfig = NonNullable<DeploymentBody["sourceRevisionConfig"]>;

/** What an update without a new revision does about the latest one. */
export interface Redeployed {
  remote: RemoteDeployment;
  /** Whether it failed and is not of this resource, so that there is nothing to wait for. */
  isOfOthers: boolean;
}

/**
 * Redeploys the same configuration when a trigger changed, or when the last update of this resource failed. The failed
 * revision of someone else, such as a push, is not retried: no preview has announced it.
 */
export async function redeployIfNeeded(remote: RemoteDeployment, change: Change, ctx: Context): Promise<Redeployed> {
  const { inputs: desired, paths } = change;
  const isTriggered = hasPathUnder(paths, "redeployTriggers");
  if (!isTriggered && !(await hasLatestRevisionFailed(remote, ctx))) return { remote, isOfOthers: false };
  if (!isTriggered && !isOwnFailure(change, ctx)) {
    ctx.log.warn(
      `revision ${remote.latestRevisionId} has failed. It was not made by the last \`pulumi up\` of this resource, so it was not retried; the server reports ${remote.activeRevisionId ?? "no revision"} as active.`,
    );
    return { remote, isOfOthers: true };
  }
  if (!isTriggered) ctx.log.warn("the latest revision had failed; retrying it once with the same configuration.");
  return { remote: await redeploy(remote, desired, ctx), isOfOthers: false };
}

/** Whether a failed latest revision is of the last update, or of a killed one whose changes the server already has. */
const isOwnFailure = ({ paths, isUnfinished }: Change, ctx: Context) => isUnfinished || changesRevision(paths, ctx);

async function redeploy(remote: RemoteDeployment, desired: Inputs, ctx: Context): Promise<RemoteDeployment> {
  const redeployed = await redeployRevision(remote, remote.latestRevisionId, ctx);
  if (redeployed) return waitForNewRevision(remote, redeployed, desired, ctx);
  const body = toRedeployRequest(desired) ?? toRedeployRequest(remoteRevisionConfig(remote, desired));
  if (body) {
    return waitForNewRevision(remote, await updateDeployment(remote, body, ctx), desired, ctx);
  }
  ctx.log.warn("not redeployed: the server has no redeploy endpoint and no revision field is set.");
  return remote;
}

/**
 * Returns a PATCH for a change that the server has stored without a revision, as the last update left it; undefined
 * when a revision has been made since.
 */
export function toRepeatedRequest(
  { inputs: desired, state, paths, isUnfinished }: Change,
  remote: RemoteDeployment,
  ctx: Context,
): DeploymentBody | undefined {
  const { latestRevisionId: latest } = remote;
  const isMissing = latest == null || (latest === state.latestRevisionId && changesRevision(paths, ctx));
  if (!isUnfinished || !isMissing) return undefined;
  return toRedeployRequest(desired) ?? toRedeployRequest(remoteRevisionConfig(remote, desired));
}

/** Returns a PATCH that redeploys the same configuration: an unchanged, non-null field (API `3.1`). */
function toRedeployRequest({
  sourceRevisionConfig = {},
}: Pick<RemoteDeployment, "sourceRevisionConfig"> | Inputs): DeploymentBody | undefined {
  const { imageUri, sourceTarballPath, repoRef, agentgraphConfigPath } = sourceRevisionConfig;
  const fields = Object.entries({ imageUri, sourceTarballPath, repoRef, agentgraphConfigPath });
  const first = fields.find(([, value]) => value);
  return first && { sourceRevisionConfig: Object.fromEntries([first]) };
}

/**
 * Starts the rollback. A redeployed revision restores its own configuration, but not the fields of the deployment: if
 * those changed as well, or the server lacks the route, an update sends all previous values.
 */
async function startRollback(update: RolledBackUpdate, ctx: Context): Promise<RemoteDeployment> {
  const { before, after: remote, change } = update;
  const { inputs: desired, previous } = change;
  const reverted = { ...change, inputs: previous, previous: { ...previous, ...desired } };
  const { sourceRevisionConfig: _, ...lasting } =
    toUpdateRequest(reverted, remote, markerIn(remote) ?? ctx.recorded.marker) ?? {};
  const redeployed =
    Object.keys(lasting).length === 0 ? await redeployRevision(remote, before.activeRevisionId, ctx) : undefined;
  if (redeployed) return redeployed;
  const sourceRevisionConfig = await previousRevisionConfig(update, ctx);
  const content = makesRevision({ ...lasting, sourceRevisionConfig })
    ? { sourceRevisionConfig }
    : toRedeployRequest(remoteRevisionConfig(remote, previous));
  return updateDeployment(remote, { ...lasting, ...content }, ctx);
}

/**
 * Returns the revision fields whose previous values differ.
 * @throws UserError when one was not set before, because a PATCH cannot remove it.
 */
async function previousRevisionConfig(
  { before, after, change: { previous } }: RolledBackUpdate,
  ctx: Context,
): Promise<RevisionConfig> {
  const revision = await ctx.clients.controlPlane.getRevision(before.id, before.activeRevisionId ?? "");
  const live = pickRevisionConfig(revision.sourceRevisionConfig ?? before.sourceRevisionConfig, previous);
  const failed = pickRevisionConfig(after.sourceRevisionConfig, previous);
  const changed = Object.entries(live).filter(([field, value]) => value !== failed[field as keyof RevisionConfig]);
  const unset = changed.find(([, value]) => value === undefined);
  if (unset)
    throw new UserError(
      `the previous revision had no ${unset[0]}, and the API cannot clear it. Set ${unset[0]} explicitly.`,
    );
  return Object.fromEntries(changed);
}

/** Returns the revision fields that this source supports, without those that a build added. */
function pickRevisionConfig(remoteValue: RemoteDeployment["sourceRevisionConfig"], desired: Inputs): RevisionConfig {
  const fields = fieldsAt(schemaOf(desired), "sourceRevisionConfig");
  return Object.fromEntries(fields.map((field) => [field, valueAt(remoteValue, field) ?? undefined]));
}

const remoteRevisionConfig = (remote: RemoteDeployment, desired: Inputs) => ({
  sourceRevisionConfig: pickRevisionConfig(remote.sourceRevisionConfig, desired),
});

/** An update whose rollout failed, and the deployment before and after its requests. */
interface RolledBackUpdate {
  change: Change;
  before: RemoteDeployment;
  after: RemoteDeployment;
}

/**
 * `rollbackOnFailure`: redeploys the last good revision; the update still fails. The rollback has the full timeout of
 * the operation again, because the failed rollout may have used all of it.
 */
export async function rollBack(error: unknown, failed: RolledBackUpdate, ctx: Context): Promise<never> {
  const { before, after, change } = failed;
  const desired = change.inputs;
  const isOld = after.latestRevisionId === before.latestRevisionId;
  const goodRevisionId = before.activeRevisionId;
  if (!(error instanceof RolloutError) || !desired.rollbackOnFailure || isOld || goodRevisionId == null) throw error;
  // State may lack secrets that a rollback sends: the server had them.
  const held = resolvePlaceholders(change.previous, toInputs(before, change.previous));
  const previous = resolvePlaceholders(held, desired);
  const update = { ...failed, change: { ...change, previous } };
  const { failure } = error;
  const record = (remote: RemoteDeployment, inputs: Inputs) =>
    ctx.record({ id: remote.id, inputs, state: toState(remote, toState(before, change.state)) });
  ctx.log.progress(`rolling back to revision ${goodRevisionId}`);
  let started: RemoteDeployment | undefined;
  let restored: RemoteDeployment;
  try {
    started = await startRollback(update, ctx);
    started = await waitForNewRevision(after, started, previous, ctx);
    const wait = ctx.waitUntil.restart("rolling back: ");
    restored = await waitForRollout(started, { ...previous, waitFor: desired.waitFor }, ctx, wait);
  } catch (rollbackError) {
    const rollbackFailure = rollbackError instanceof RolloutError ? rollbackError.failure : undefined;
    // If no rollback began, the latest revision still has the declared configuration.
    record(rollbackFailure?.remote ?? started ?? failure.remote, started ? previous : desired);
    const [headline, ...rest] = rollbackFailure
      ? formatReport(rollbackFailure, rollbackFailure.live.replace("this revision", "the rollback's revision"))
      : [messageOf(rollbackError)];
    throw new UserError(
      [
        ...formatReport(failure),
        `The rollback to revision ${goodRevisionId} failed too: ${headline}`,
        ...rest,
        "Fix the cause and run `pulumi up` again to deploy what the program declares.",
      ].join("\n"),
    );
  }
  record(restored, inputsAfterRollback(restored, update, ctx));
  showFailure("rolled back", failure.details.find(([label]) => label === "cause")?.[1] ?? failure.summary, ctx);
  throw new UserError(
    [
      ...formatReport(failure),
      `Rolled back: the configuration of revision ${goodRevisionId} is live again as revision ${restored.latestRevisionId}.`,
      "Fix the cause and run `pulumi up` again to deploy the change.",
    ].join("\n"),
  );
}

/**
 * Returns the inputs for state after a rollback: what is live. Without its digest, a failed folder is uploaded again by
 * the next run.
 */
function inputsAfterRollback(restored: RemoteDeployment, { before, change }: RolledBackUpdate, ctx: Context): Inputs {
  const merged = toInputs(restored, change.previous, { isInState: true, notReturned: ctx.recorded.notReturned });
  const isOtherTarball =
    restored.sourceRevisionConfig?.sourceTarballPath !== before.sourceRevisionConfig?.sourceTarballPath;
  return isOtherTarball ? { ...merged, sourceDigest: undefined } : merged;
}
