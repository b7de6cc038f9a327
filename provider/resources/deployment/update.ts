/** Updates a deployment: sends what changed, and waits until the latest revision is live, or until a rollback is. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import type { Observation, UpdateRequest } from "../../definition/results";
import { resolvePlaceholders } from "../../schema/unknown-secrets";
import { changesRevision, hasPathUnder, toUpdateRequest } from "./mapping";
import { assertNotForeign } from "./ownership";
import { findTracingProject, getOrThrow, updateDeployment } from "./requests";
import { findNotReturned, markerIn, secretValuesIn, toInputs, toState } from "./response";
import {
  isNewRevision,
  makesRevision,
  mustMakeRevision,
  NoRevisionError,
  waitForNewRevision,
} from "./rollout/new-revision";
import { type Redeployed, redeployIfNeeded, rollBack, toRepeatedRequest } from "./rollout/redeploy";
import { hasLatestRevisionFailed, recordFailed, waitForRollout } from "./rollout/rollout";
import type { State } from "./schema/fields";
import type { Inputs } from "./schema/inputs";
import { isUploadApplied, uploadSource } from "./source/upload";
import { findUnstored } from "./stored";

export async function update(
  id: string,
  request: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<Observation<Inputs, State>> {
  const remoteBefore = await getOrThrow(id, request.previous.tenantId, ctx);
  assertNotForeign(remoteBefore, ctx);
  // Includes the values before a rotation, because the log of the previous revision may contain them.
  ctx.log.protect(secretValuesIn(remoteBefore));
  // State may lack secrets that a rollback sends: the server has them.
  const known = resolvePlaceholders(request.previous, toInputs(remoteBefore, request.previous));
  const change = { ...request, previous: resolvePlaceholders(known, request.inputs) };
  ctx.clients.deploymentCache.recordChange(remoteBefore);
  const marker = markerIn(remoteBefore) ?? ctx.recorded.marker ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
  const body = await buildUpdateRequest(change, remoteBefore, marker, ctx);
  const previousState = toState(remoteBefore, change.previous);
  const { remote: remoteAfter, isOfOthers } = await sendUpdate(change, { remoteBefore, body, marker }, ctx).catch(
    (error: unknown) => {
      // With the previous inputs, so that the next run sends the change again.
      if (error instanceof NoRevisionError)
        ctx.record({ id, inputs: change.previous, state: toState(error.remote, previousState) });
      throw error;
    },
  );
  ctx.clients.deploymentCache.recordChange(remoteAfter);
  const observe = (current: RemoteDeployment) => ({
    id,
    inputs: change.inputs,
    state: toState(current, previousState),
    ...(body?.secrets && { marker }),
  });
  ctx.record(observe(remoteAfter));
  const rollout = isOfOthers ? Promise.resolve(remoteAfter) : waitForRollout(remoteAfter, change.inputs, ctx);
  const live = await rollout
    .catch((error) => rollBack(error, { remoteBefore, remoteAfter, change }, ctx))
    .catch(recordFailed(observe, ctx));
  const unstored = findUnstored(remoteBefore, live, change.inputs, body ?? {});
  if (unstored.paths.length > 0)
    ctx.log.warn(
      `the server accepted ${unstored.paths.join(", ")}, but still holds the previous value. If \`pulumi up\` does not help, ask the operators of the server.`,
    );
  const observed = { ...observe(live), inputs: unstored.inputs };
  const tracingProjectId = observed.state.tracingProjectId ?? (await findTracingProject(remoteAfter.name, ctx));
  const notReturned = findNotReturned(live, change.inputs, body ?? {}, ctx.recorded.notReturned);
  return { ...observed, state: { ...observed.state, tracingProjectId }, notReturned };
}

interface Sent {
  remoteBefore: RemoteDeployment;
  body: DeploymentBody | undefined;
  marker: string | undefined;
}

/** Sends the changes, and redeploys where they make no revision. Returns when the server shows the revision that it must make. */
async function sendUpdate(
  change: UpdateRequest<Inputs, State>,
  { remoteBefore, body, marker }: Sent,
  ctx: Context,
): Promise<Redeployed> {
  const isApplied = (remoteAfter: RemoteDeployment) =>
    isUploadApplied(body, remoteBefore, remoteAfter) && !toUpdateRequest(change, remoteAfter, marker);
  const updated = body ? await updateDeployment(remoteBefore, body, isApplied, ctx) : remoteBefore;
  const isAwaited = body && mustMakeRevision(body, remoteBefore);
  const made = isAwaited ? await waitForNewRevision(remoteBefore, updated, change.inputs, ctx) : updated;
  return isNewRevision(remoteBefore)(made) ? { remote: made, isOfOthers: false } : redeployIfNeeded(made, change, ctx);
}

/** Returns the update request: the changes, and the source if it changed or its last upload may not have arrived. */
async function buildUpdateRequest(
  change: UpdateRequest<Inputs, State>,
  remoteBefore: RemoteDeployment,
  marker: string | undefined,
  ctx: Context,
) {
  const changes = toUpdateRequest(change, remoteBefore, marker);
  const repeated = makesRevision(changes ?? {}) ? undefined : toRepeatedRequest(change, remoteBefore);
  const body = repeated ? { ...changes, ...repeated } : changes;
  if (change.inputs.sourcePath === undefined) return body;
  const isUploadNeeded = hasPathUnder(change.paths, "sourceDigest") || remoteBefore.latestRevisionId == null;
  if (!isUploadNeeded && !(await isRetryOfFailed(change, remoteBefore, ctx))) return body;
  return uploadSource(remoteBefore.id, change.inputs, body, ctx);
}

/** Whether to upload again because the revision of the last update failed, possibly because its upload was lost. */
async function isRetryOfFailed(
  { isUnfinished, paths }: UpdateRequest<Inputs, State>,
  remoteBefore: RemoteDeployment,
  ctx: Context,
): Promise<boolean> {
  const isOwn = isUnfinished || changesRevision(paths);
  if (!isOwn || remoteBefore.latestRevisionId === remoteBefore.activeRevisionId) return false;
  if (!(await hasLatestRevisionFailed(remoteBefore, ctx))) return false;
  ctx.log.warn("the latest revision had failed; uploading the source again and retrying it once.");
  return true;
}
