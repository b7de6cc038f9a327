/** Updates a deployment: sends what changed, and waits until the latest revision is live, or until a rollback is. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context, Observation } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { diffPaths } from "../../schema/compare";
import {
  findUnstored,
  hasNewRevision,
  isSent,
  isUpdateApplied,
  makesRevision,
  mayMakeRevision,
  mustMakeRevision,
  NAMED,
  NoRevisionError,
  type SentUpdate,
  updateDeployment,
  waitForNewRevision,
} from "./applied";
import { restorePending, unreadyWhilePending } from "./conversations/move";
import { type Change, changesRevision, hasPathUnder, toUpdateRequest } from "./mapping/mapping";
import { markerIn, userSecrets } from "./mapping/marker";
import { findNotReturned, findTracingProject, schemaOf, secretValuesIn, toInputs, toState } from "./mapping/response";
import { readOwn } from "./ownership";
import { hasLatestRevisionFailed, type Redeployed, redeployIfNeeded, toRepeatedRequest } from "./rollout/redeploy";
import { isUnknown, rollBack } from "./rollout/rollback";
import { waitForRollout } from "./rollout/rollout";
import { RolloutError } from "./rollout/rollout-error";
import { findChosen } from "./schema/choices";
import type { Inputs } from "./schema/inputs";
import type { State } from "./schema/outputs";
import { uploadSource } from "./source/upload";
import { assertNotRefused, needsVerification, rememberFailure, withoutFailure } from "./verify/memory";
import { assertVerifiable, verifyRevision } from "./verify/verify";

export async function update(id: string, request: Change, ctx: Context): Promise<Observation<Inputs, State>> {
  const change = { ...request, chosen: ctx.recorded.chosen };
  const before = await readOwn(id, change.state.tenantId, ctx);
  // Includes the values before a rotation, because the log of the previous revision may contain them.
  ctx.log.protect(secretValuesIn(before, change.previous, change.inputs));
  ctx.clients.deploymentCache.recordChange(before);
  assertNotRefused(change, before);
  await assertVerifiable(change.inputs, before, ctx);
  const marker = markerIn(before) ?? ctx.recorded.marker ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
  const body = await buildUpdateRequest(change, before, marker, ctx);
  const sent = { change, before, body, marker };
  warnOfRemovedVariables(sent, ctx);
  const state = toState(before, change.state);
  let [live, own] = [before, before];
  const observe = (current: RemoteDeployment, inputs = change.inputs, error?: unknown) => ({
    id,
    inputs,
    state: toState(current, rememberFailure(state, error, { desired: change.inputs, own }, ctx.clock)),
    ...(body?.secrets && { marker }),
  });
  try {
    const { remote: after, isOfOthers } = await sendUpdate(sent, ctx).catch((error: unknown) => {
      // With the previous inputs and revision: the next run repeats what the server has not deployed by then.
      const held = error instanceof NoRevisionError ? error.remote : body && isUnknown(error) && before;
      if (!held) throw error;
      warnOfUnknownRevision(sent, held, ctx);
      ctx.record(observe(held, change.previous));
      throw error;
    });
    own = after;
    ctx.clients.deploymentCache.recordChange(after);
    ctx.record(observe(after));
    warnOfUnknownRevision(sent, after, ctx);
    const rollout = isOfOthers ? after : waitForRollout(after, change.inputs, ctx, { earlier: [before] });
    live = await Promise.resolve(rollout)
      .then(async (active) => {
        if (needsVerification(change, active)) await verifyRevision(active, change.inputs, ctx, [before]);
        return active;
      })
      .catch((error) => rollBack(error, { before, after, change }, ctx));
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error;
    const { remote } = error.failure;
    const { latestRevisionId, sourceRevisionConfig } = own;
    const isOfOthers = ![latestRevisionId, before.latestRevisionId].includes(remote.latestRevisionId);
    // What others deployed is not what the next run retries, and it differs from the program.
    const inputs = isOfOthers ? inputsOfOthers(remote, change.inputs, ctx) : change.inputs;
    ctx.record(observe(isOfOthers ? { ...remote, latestRevisionId, sourceRevisionConfig } : remote, inputs, error));
    throw error;
  }
  const isSuperseded = ![live.latestRevisionId, live.activeRevisionId].includes(own.latestRevisionId);
  const inputs = isSuperseded ? inputsOfOthers(live, change.inputs, ctx) : storedInputs(sent, live, ctx);
  const updated = observe(live, inputs);
  const observed = { ...updated, state: withoutFailure(updated.state, change.inputs) };
  ctx.record(observed);
  const restored = await restorePending(live, change.inputs, observed.state, ctx);
  const tracingProjectId = state.tracingProjectId ?? (await findTracingProject(live, change.inputs, ctx));
  return {
    ...observed,
    state: { ...restored, tracingProjectId },
    notReturned: findNotReturned(live, change.inputs, body ?? {}, ctx.recorded.notReturned),
    ...(body?.sourceConfig?.resourceSpec && { chosen: findChosen(live, body.sourceConfig.resourceSpec) }),
    ...unreadyWhilePending(restored),
  };
}

/** Names the variables of others that an update removes, because the server does not show their values. */
function warnOfRemovedVariables({ change: { previous }, before, body }: SentUpdate, ctx: Context): void {
  const sent = (body?.secrets ?? []).map(({ name }) => name);
  const known = new Set([...sent, ...Object.keys({ ...previous.secrets, ...previous.environment })]);
  const removed = userSecrets(before).flatMap(({ name }) => (known.has(name) ? [] : [name]));
  if (sent.length === 0 || removed.length === 0) return;
  ctx.log.warn(
    `this update removes the environment variables ${removed.join(", ")}, which others added: it replaces all of ` +
      "them, and the server does not show the values. Declare them to keep them.",
  );
}

const heldInputs = (remote: RemoteDeployment, desired: Inputs, { recorded }: Context): Inputs =>
  toInputs(remote, desired, { isInState: true, ...recorded });

/** Returns what others have deployed as inputs, so that the next run deploys what the program declares. */
function inputsOfOthers(remote: RemoteDeployment, desired: Inputs, ctx: Context): Inputs {
  const held = heldInputs(remote, desired, ctx);
  const differing = diffPaths(schemaOf(desired), held, desired);
  if (differing.length > 0)
    ctx.log.warn(
      `others have deployed other values of ${differing.join(", ")} since. The next \`pulumi up\` deploys what the ` +
        "program declares. What `ignoreChanges` names stays.",
    );
  return { ...held, sourceDigest: undefined };
}

/** Returns the inputs that the server has stored, with a warning of those that it has not. */
function storedInputs(sent: SentUpdate, live: RemoteDeployment, ctx: Context): Inputs {
  const { paths, inputs } = findUnstored(sent, live);
  if (paths.length > 0)
    ctx.log.warn(
      `the server accepted ${paths.join(", ")}, but still holds the previous value. If \`pulumi up\` does not help, ` +
        "ask the operators of the server.",
    );
  return inputs;
}

/** Names what this run leaves as another deployed it: a preview does not know what a killed run did. */
function warnOfUnknownRevision(sent: SentUpdate, after: RemoteDeployment, ctx: Context): void {
  const { before, change } = sent;
  const { inputs, state } = change;
  if (before.latestRevisionId == null || state.latestRevisionId === before.latestRevisionId) return;
  const held = heldInputs(after, inputs, ctx);
  const left = diffPaths(schemaOf(inputs), held, inputs).filter((path) => !isSent(path, sent));
  if (left.length === 0) return;
  ctx.log.warn(
    `state does not know revision ${before.latestRevisionId}: others or a killed run deployed it, or the state was ` +
      `restored. This update leaves what differs from the program there: ${left.join(", ")}. To deploy what the ` +
      "program declares, run `pulumi up --refresh`. What `ignoreChanges` names stays.",
  );
}

/** Sends the changes, and redeploys where they make no revision. Returns when the server shows the revision. */
async function sendUpdate(sent: SentUpdate, ctx: Context): Promise<Redeployed> {
  const { change, before, body } = sent;
  if (!body) return redeployIfNeeded(before, change, ctx);
  const applied = updateDeployment(before, body, ctx, (current) => isUpdateApplied(sent, current));
  let after = await applied.catch((error: unknown) => {
    throw explainUnmoved(error, body, ctx);
  });
  if (mustMakeRevision(body, before)) after = await waitForNewRevision(before, after, change.inputs, ctx);
  if (mayMakeRevision(body, ctx))
    after = await waitForNewRevision(before, after, change.inputs, ctx).catch((error: unknown) => {
      if (!(error instanceof NoRevisionError)) throw error;
      ctx.log.warn("the server made no revision of the change, which takes effect with the next one.");
      return error.remote;
    });
  return hasNewRevision(before, after) ? { remote: after, isOfOthers: false } : redeployIfNeeded(after, change, ctx);
}

/** Adds what to do where a server does not move a deployment to another repository. */
function explainUnmoved(error: unknown, { sourceConfig }: DeploymentBody, ctx: Context): unknown {
  const isMoved = sourceConfig?.repoUrl != null || sourceConfig?.integrationId != null;
  if (!isMoved || !(error instanceof HttpError)) return error;
  if (!error.isInvalid && !(error.isNotFound && NAMED.test(error.detail))) return error;
  return error.withHint(
    "The server did not move the deployment to another repository; nothing was changed or deleted. To replace " +
      `it, which loses its database and threads, run:  pulumi up --replace '${ctx.urn}'`,
  );
}

/** Returns the update request: the changes, and the source if it changed or its last upload may not have arrived. */
async function buildUpdateRequest(change: Change, before: RemoteDeployment, marker: string | undefined, ctx: Context) {
  const changes = toUpdateRequest(change, before, marker);
  const repeated = makesRevision(changes ?? {}) ? undefined : toRepeatedRequest(change, before, ctx);
  const body = repeated ? { ...changes, ...repeated } : changes;
  if (change.inputs.sourcePath === undefined) return body;
  const isUploadNeeded = hasPathUnder(change.paths, "sourceDigest") || before.latestRevisionId == null;
  if (!isUploadNeeded && !(await isRetryOfFailed(change, before, ctx))) return body;
  return uploadSource(before.id, change.inputs, body, ctx);
}

/** Whether to upload again because the revision of the last update failed, possibly because its upload was lost. */
async function isRetryOfFailed({ isUnfinished, paths }: Change, before: RemoteDeployment, ctx: Context) {
  const isOwn = isUnfinished || changesRevision(paths, ctx);
  if (!isOwn || before.latestRevisionId === before.activeRevisionId) return false;
  if (!(await hasLatestRevisionFailed(before, ctx))) return false;
  ctx.log.warn("the latest revision had failed; uploading the source again and retrying it once.");
  return true;
}
