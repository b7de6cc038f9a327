/** Updates a deployment: sends what changed, and waits until the latest revision is live, or until a rollback is. */
import type { Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import type { Observation } from "../../definition/results";
import { resolvePlaceholders } from "../../schema/unknown-secrets";
import {
  findUnstored,
  hasLatestRevisionFailed,
  isNewRevision,
  isUpdateApplied,
  makesRevision,
  mustMakeRevision,
  NoRevisionError,
  type SentUpdate,
  updateDeployment,
  waitForNewRevision,
} from "./applied";
import { type Change, changesRevision, hasPathUnder, toUpdateRequest } from "./mapping";
import { readOwn } from "./ownership";
import { findNotReturned, findTracingProject, markerIn, secretValuesIn, toInputs, toState } from "./response";
import { type Redeployed, redeployIfNeeded, rollBack, toRepeatedRequest } from "./rollout/redeploy";
import { recordFailed, waitForRollout } from "./rollout/rollout";
import type { State } from "./schema/fields";
import type { Inputs } from "./schema/inputs";
import { uploadSource } from "./source/upload";

export async function update(id: string, request: Change, ctx: Context): Promise<Observation<Inputs, State>> {
  const before = await readOwn(id, request.state.tenantId, ctx);
  // Includes the values before a rotation, because the log of the previous revision may contain them.
  ctx.log.protect(secretValuesIn(before));
  const change = withKnownSecrets(request, before);
  ctx.clients.deploymentCache.recordChange(before);
  const marker = markerIn(before) ?? ctx.recorded.marker ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
  const body = await buildUpdateRequest(change, before, marker, ctx);
  const sent = { change, before, body, marker };
  const state = toState(before, change.state);
  const { remote: after, isOfOthers } = await sendUpdate(sent, ctx).catch((error: unknown) => {
    // With the previous inputs, so that the next run sends the change again.
    if (error instanceof NoRevisionError)
      ctx.record({ id, inputs: change.previous, state: toState(error.remote, state) });
    throw error;
  });
  ctx.clients.deploymentCache.recordChange(after);
  const observe = (current: RemoteDeployment) => ({
    id,
    inputs: change.inputs,
    state: toState(current, state),
    ...(body?.secrets && { marker }),
  });
  ctx.record(observe(after));
  const rollout = isOfOthers ? Promise.resolve(after) : waitForRollout(after, change.inputs, ctx);
  const live = await rollout
    .catch((error) => rollBack(error, { before, after, change }, ctx))
    .catch(recordFailed(observe, ctx));
  const unstored = findUnstored(sent, live);
  if (unstored.paths.length > 0)
    ctx.log.warn(
      `the server accepted ${unstored.paths.join(", ")}, but still holds the previous value. If \`pulumi up\` does not help, ask the operators of the server.`,
    );
  const tracingProjectId = state.tracingProjectId ?? (await findTracingProject(after.name, ctx));
  const notReturned = findNotReturned(live, change.inputs, body ?? {}, ctx.recorded.notReturned);
  return {
    ...observe(live),
    inputs: unstored.inputs,
    state: { ...toState(live, state), tracingProjectId },
    notReturned,
  };
}

/** State may lack secrets that a rollback sends: the server has them. */
function withKnownSecrets(request: Change, before: RemoteDeployment): Change {
  const held = resolvePlaceholders(request.previous, toInputs(before, request.previous));
  return { ...request, previous: resolvePlaceholders(held, request.inputs) };
}

/** Sends the changes, and redeploys where they make no revision. Returns when the server shows the revision that it must make. */
async function sendUpdate(sent: SentUpdate, ctx: Context): Promise<Redeployed> {
  const { change, before, body } = sent;
  let after = before;
  if (body) after = await updateDeployment(before, body, (current) => isUpdateApplied(sent, current), ctx);
  if (body && mustMakeRevision(body, before)) after = await waitForNewRevision(before, after, change.inputs, ctx);
  if (isNewRevision(before)(after)) return { remote: after, isOfOthers: false };
  return redeployIfNeeded(after, change, ctx);
}

/** Returns the update request: the changes, and the source if it changed or its last upload may not have arrived. */
async function buildUpdateRequest(change: Change, before: RemoteDeployment, marker: string | undefined, ctx: Context) {
  const changes = toUpdateRequest(change, before, marker);
  const repeated = makesRevision(changes ?? {}) ? undefined : toRepeatedRequest(change, before);
  const body = repeated ? { ...changes, ...repeated } : changes;
  if (change.inputs.sourcePath === undefined) return body;
  const isUploadNeeded = hasPathUnder(change.paths, "sourceDigest") || before.latestRevisionId == null;
  if (!isUploadNeeded && !(await isRetryOfFailed(change, before, ctx))) return body;
  return uploadSource(before.id, change.inputs, body, ctx);
}

/** Whether to upload again because the revision of the last update failed, possibly because its upload was lost. */
async function isRetryOfFailed(
  { isUnfinished, paths }: Change,
  before: RemoteDeployment,
  ctx: Context,
): Promise<boolean> {
  const isOwn = isUnfinished || changesRevision(paths);
  if (!isOwn || before.latestRevisionId === before.activeRevisionId) return false;
  if (!(await hasLatestRevisionFailed(before, ctx))) return false;
  ctx.log.warn("the latest revision had failed; uploading the source again and retrying it once.");
  return true;
}
