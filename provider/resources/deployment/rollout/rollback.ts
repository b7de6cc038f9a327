/** `rollbackOnFailure`: after a failed update, redeploys the last good revision. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { isCommit } from "../../../api/control-plane/schemas";
import type { Context } from "../../../definition/context";
import { CanceledError } from "../../../http/clock";
import { HttpError } from "../../../http/errors";
import { resolvePlaceholders } from "../../../schema/mapping";
import { messageOf, UserError } from "../../../text/user-error";
import { makesRevision, redeployRevision, updateDeployment, waitForNewRevision } from "../applied";
import { type Change, toUpdateRequest } from "../mapping/mapping";
import { markerIn } from "../mapping/marker";
import { toInputs, toState } from "../mapping/response";
import type { Inputs } from "../schema/inputs";
import type { State } from "../schema/outputs";
import { HOW_TO_INSIST, isRefused, rememberFailure } from "../verify/memory";
import { verifyRevision } from "../verify/verify";
import { pickRevisionConfig, type RevisionConfig, remoteRevisionConfig, toRedeployRequest } from "./redeploy";
import { waitForRollout, waitOf } from "./rollout";
import { formatReport, RolloutError, showFailure, VerificationError } from "./rollout-error";

const LABEL = "rolling back: ";

interface FailedUpdate {
  change: Change;
  before: RemoteDeployment;
  after: RemoteDeployment;
}

interface RolledBackUpdate extends FailedUpdate {
  goodRevisionId: string;
}

/**
 * Returns the revision that a rollback redeploys: with `verify` the last one that passed its checks, otherwise the one
 * that was live before. Undefined when nothing is to be rolled back, or others have deployed since.
 */
function revisionToRestore(error: RolloutError, { before, after, change }: FailedUpdate): string | undefined {
  const { inputs: desired, state } = change;
  const verified = desired.verify?.length ? state.verifiedRevisionId : undefined;
  if (!(desired.rollbackOnFailure ?? verified !== undefined)) return undefined;
  const [earlier, own] = [before.latestRevisionId, after.latestRevisionId];
  // An outdated response shows the earlier one.
  if (![earlier, own].includes(error.failure.remote.latestRevisionId)) return undefined;
  if (!(error instanceof VerificationError))
    return own === earlier ? undefined : (verified ?? before.activeRevisionId ?? undefined);
  // A run that was killed may have deployed the failed one, so that it was live before this run.
  const isBad = (id: string) => id === error.revisionId || id === state.failedVerification?.revisionId;
  const candidates = [verified, before.activeRevisionId, state.activeRevisionId];
  return candidates.find((id) => id != null && !isBad(id)) ?? undefined;
}

/**
 * `rollbackOnFailure`: redeploys the last good revision; the update still fails. The rollback has the full timeout of
 * the operation again, because the failed rollout may have used all of it.
 */
export async function rollBack(error: unknown, failed: FailedUpdate, ctx: Context): Promise<never> {
  if (!(error instanceof RolloutError)) throw error;
  const { before, after, change } = failed;
  const desired = change.inputs;
  const goodRevisionId = revisionToRestore(error, failed);
  if (goodRevisionId === undefined) throw error;
  // State may lack secrets that a rollback sends: the server had them.
  const held = resolvePlaceholders(change.previous, toInputs(before, change.previous));
  const previous = resolvePlaceholders(held, desired);
  const update = { ...failed, goodRevisionId, change: { ...change, previous } };
  const { failure } = error;
  const known = rememberFailure(change.state, error, { desired, own: after }, ctx.clock);
  const record = (remote: RemoteDeployment, inputs: Inputs, verified?: Pick<State, "verifiedRevisionId">) =>
    ctx.record({ id: remote.id, inputs, state: { ...toState(remote, toState(before, known)), ...verified } });
  record(failure.remote, desired);
  ctx.log.progress(`rolling back to revision ${goodRevisionId}`);
  let started: RemoteDeployment | undefined;
  let restored: RemoteDeployment;
  try {
    started = await startRollback(update, ctx);
    started = await waitForNewRevision(after, started, previous, ctx);
    const wait = ctx.waitUntil.restart(LABEL);
    const progress = (text: string) => ctx.log.progress(LABEL + text);
    const labeled = { ...ctx, log: { ...ctx.log, progress } };
    const awaited = { ...previous, waitFor: waitOf(desired) };
    restored = await waitForRollout(started, awaited, labeled, { wait, earlier: [before, after] });
  } catch (rollbackError) {
    const rollbackFailure = rollbackError instanceof RolloutError ? rollbackError.failure : undefined;
    // If no rollback began, the latest revision still has the declared configuration.
    record(rollbackFailure?.remote ?? started ?? failure.remote, started ? previous : desired);
    // It may still begin: the next run compares the server with the program, and does not know the latest revision.
    if (!started && isUnknown(rollbackError)) record({ ...failure.remote, latestRevisionId: null }, previous);
    const [headline, ...rest] = rollbackFailure
      ? formatReport(rollbackFailure, rollbackFailure.live.replace("this revision", "the rollback's revision"))
      : [messageOf(rollbackError)];
    const summary = `${failure.summary} The rollback to revision ${goodRevisionId} failed too: ${headline}`;
    throw new UserError(
      [
        ...formatReport({ ...failure, summary }, rollbackFailure ? undefined : failure.live),
        ...rest,
        "Fix the cause and run `pulumi up` again to deploy what the program declares.",
      ].join("\n"),
    );
  }
  // The wait follows the revision of others that supersedes its own.
  const isOfOthers = restored.activeRevisionId !== started.latestRevisionId;
  const unverified = isOfOthers ? undefined : await checkRestored(restored, update, failure.remote, ctx);
  const isVerified = goodRevisionId === known.verifiedRevisionId && unverified === undefined && !isOfOthers;
  const verified = isVerified ? { verifiedRevisionId: restored.activeRevisionId ?? undefined } : undefined;
  record(restored, inputsAfterRollback(restored, update, ctx), verified);
  showFailure("rolled back", causeOf(error), ctx);
  throw new UserError(
    [
      ...formatReport(failure),
      isOfOthers
        ? `Rolled back to revision ${goodRevisionId}, but others have deployed revision ${restored.activeRevisionId} ` +
          "since, which is live and not verified."
        : `Rolled back: the configuration of revision ${goodRevisionId} is live again as revision ` +
          `${restored.activeRevisionId}.${unverified ?? ""}`,
      `Fix the cause and run \`pulumi up\` again to deploy the change.${isRefused(known) ? ` ${HOW_TO_INSIST}` : ""}`,
    ].join("\n"),
  );
}

const causeOf = (error: RolloutError): string =>
  error instanceof VerificationError
    ? error.reason
    : (error.failure.details.find(([label]) => label === "cause")?.[1] ?? error.failure.summary);

/** Whether the server may have acted although the request failed. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof CanceledError || (error instanceof HttpError && error.outcomeUnknown);

/**
 * Checks what a rollback restored where the earlier values of the deployment, such as its secrets, are unknown, because
 * state already has those of an interrupted run. Returns why it is not verified.
 */
async function checkRestored(
  restored: RemoteDeployment,
  { before, after, change: { inputs, paths, isUnfinished } }: RolledBackUpdate,
  failed: RemoteDeployment,
  ctx: Context,
): Promise<string | undefined> {
  if (!isUnfinished || paths.length > 0 || !inputs.verify?.length) return undefined;
  try {
    await verifyRevision(restored, inputs, ctx, [before, after, failed]);
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const reason = error instanceof VerificationError ? error.reason : error.message;
    return ` It is not verified, because the earlier secrets and settings of the deployment are unknown: ${reason}`;
  }
}

/** Returns the inputs for state after a rollback. Without a digest, the next run uploads a failed folder again. */
function inputsAfterRollback(restored: RemoteDeployment, { before, change }: RolledBackUpdate, ctx: Context): Inputs {
  const merged = toInputs(restored, change.previous, { isInState: true, ...ctx.recorded });
  const isOtherTarball =
    restored.sourceRevisionConfig?.sourceTarballPath !== before.sourceRevisionConfig?.sourceTarballPath;
  return isOtherTarball ? { ...merged, sourceDigest: undefined } : merged;
}

/**
 * Starts the rollback. A redeployed revision restores its own configuration, but not the fields of the deployment: if
 * those changed as well, or the server lacks the route, an update sends all previous values.
 */
async function startRollback(update: RolledBackUpdate, ctx: Context): Promise<RemoteDeployment> {
  const { goodRevisionId, after: remote, change } = update;
  const { inputs: desired, previous } = change;
  const reverted = { ...change, inputs: previous, previous: { ...previous, ...desired } };
  const { sourceRevisionConfig: _, ...lasting } =
    toUpdateRequest(reverted, remote, markerIn(remote) ?? ctx.recorded.marker) ?? {};
  const redeployed =
    Object.keys(lasting).length === 0 ? await redeployRevision(remote, goodRevisionId, ctx) : undefined;
  if (redeployed) return redeployed;
  const sourceRevisionConfig = await previousRevisionConfig(update, ctx);
  const content = makesRevision({ ...lasting, sourceRevisionConfig })
    ? { sourceRevisionConfig }
    : toRedeployRequest(remoteRevisionConfig(remote, previous));
  return updateDeployment(remote, { ...lasting, ...content }, ctx);
}

/** Returns the revision fields that differ. @throws UserError for one that was not set: a PATCH removes nothing. */
async function previousRevisionConfig(
  { goodRevisionId, before, after, change: { previous } }: RolledBackUpdate,
  ctx: Context,
): Promise<RevisionConfig> {
  const { sourceRevisionConfig: held } = await ctx.clients.controlPlane.getRevision(before.id, goodRevisionId);
  const { repoRef } = before.sourceRevisionConfig ?? {};
  const shown = isCommit(held?.repoRef) ? { ...held, repoRef } : (held ?? before.sourceRevisionConfig);
  const live = pickRevisionConfig(shown, previous);
  const failed = pickRevisionConfig(after.sourceRevisionConfig, previous);
  const changed = Object.entries(live).filter(([field, value]) => value !== failed[field as keyof RevisionConfig]);
  const unset = changed.find(([, value]) => value === undefined);
  if (unset)
    throw new UserError(
      `the previous revision had no ${unset[0]}, and the API cannot clear it. Set ${unset[0]} explicitly.`,
    );
  return Object.fromEntries(changed);
}
