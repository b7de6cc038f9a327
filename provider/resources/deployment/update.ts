/** Updates a deployment: sends what changed, and waits until the latest revision is live, or until a rollback is. */
import type { Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import type { Observation, UpdateRequest } from "../../definition/results";
import { resolvePlaceholders } from "../../schema/unknown-secrets";
import { hasPathUnder, toUpdateRequest } from "./mapping";
import { findTracingProject, getOrThrow, updateDeployment } from "./requests";
import { findNotReturned, markerIn, secretValuesIn, toInputs, toState } from "./response";
import { redeployIfNeeded, rollBack } from "./rollout/redeploy";
import { hasLatestRevisionFailed, recordFailed, waitForRollout } from "./rollout/rollout";
import type { State } from "./schema/fields";
import type { Inputs } from "./schema/inputs";
import { isUploadApplied, uploadSource } from "./source/upload";

export async function update(
  id: string,
  request: UpdateRequest<Inputs, State>,
  ctx: Context,
): Promise<Observation<Inputs, State>> {
  const remoteBefore = await getOrThrow(id, request.previous.tenantId, ctx);
  // Includes the values before a rotation, because the log of the previous revision may contain them.
  ctx.log.protect(secretValuesIn(remoteBefore));
  // State may lack secrets that a rollback sends: the server has them.
  const known = resolvePlaceholders(request.previous, toInputs(remoteBefore, request.previous));
  const change = { ...request, previous: resolvePlaceholders(known, request.inputs) };
  ctx.clients.deploymentCache.recordChange(remoteBefore);
  const marker = markerIn(remoteBefore) ?? ctx.recorded.marker ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
  const body = await buildUpdateRequest(change, remoteBefore, marker, ctx);
  const isApplied = (remoteAfter: RemoteDeployment) =>
    isUploadApplied(body, remoteBefore, remoteAfter) && !toUpdateRequest(change, remoteAfter, marker);
  const updated = body ? await updateDeployment(remoteBefore, body, isApplied, ctx) : remoteBefore;
  const remoteAfter =
    updated.latestRevisionId === remoteBefore.latestRevisionId ? await redeployIfNeeded(updated, change, ctx) : updated;
  ctx.clients.deploymentCache.recordChange(remoteAfter);
  const previousState = toState(remoteBefore, change.previous);
  const observe = (current: RemoteDeployment) => ({
    id,
    inputs: change.inputs,
    state: toState(current, previousState),
    ...(body?.secrets && { marker }),
  });
  ctx.record(observe(remoteAfter));
  const live = await waitForRollout(remoteAfter, change.inputs, ctx)
    .catch((error) => rollBack(error, { remoteBefore, remoteAfter, change }, ctx))
    .catch(recordFailed(observe, ctx));
  const observed = observe(live);
  const tracingProjectId = observed.state.tracingProjectId ?? (await findTracingProject(remoteAfter.name, ctx));
  const notReturned = findNotReturned(live, change.inputs, body ?? {}, ctx.recorded.notReturned);
  return { ...observed, state: { ...observed.state, tracingProjectId }, notReturned };
}

/** Returns the update request: the changes, and the source if it changed or its last upload may not have arrived. */
async function buildUpdateRequest(
  change: UpdateRequest<Inputs, State>,
  remoteBefore: RemoteDeployment,
  marker: string | undefined,
  ctx: Context,
) {
  const body = toUpdateRequest(change, remoteBefore, marker);
  if (change.inputs.sourcePath === undefined) return body;
  const isUploadNeeded = hasPathUnder(change.paths, "sourceDigest") || remoteBefore.latestRevisionId == null;
  if (!isUploadNeeded && !(await isRetryOfFailed(remoteBefore, ctx))) return body;
  return uploadSource(remoteBefore.id, change.inputs, body, ctx);
}

/** Whether to upload again because the latest revision failed, possibly because its upload was lost. */
async function isRetryOfFailed(remoteBefore: RemoteDeployment, ctx: Context): Promise<boolean> {
  if (
    remoteBefore.latestRevisionId === remoteBefore.activeRevisionId ||
    !(await hasLatestRevisionFailed(remoteBefore, ctx))
  )
    return false;
  ctx.log.warn("the latest revision had failed; uploading the source again and retrying it once.");
  return true;
}
