/**
 * Deployment: an agent server that the control plane runs (API `1A`).
 *
 * create: POST /v2/deployments · read: GET · update: PATCH · delete: DELETE, then wait until it no longer exists. Each
 * change of what runs is a revision, and create and update return when that revision is live.
 *
 * In a PATCH both null and absent mean "keep", and a non-null revision field creates a revision even when its value is
 * unchanged. So an update sends only what changed.
 */
import type { Deployment as RemoteDeployment } from "../api/control-plane/client";
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import { isSameMarker, OwnershipError } from "../definition/ownership";
import type { Observation, RetainedResource, UpdateRequest } from "../definition/results";
import { diffPaths } from "../schema/compare";
import { resolvePlaceholders } from "../schema/unknown-secrets";
import { adopt } from "./deployment/adopt";
import { confirmedInputs } from "./deployment/confirmed";
import type { ExistingDeployment } from "./deployment/create/adoption";
import { findExisting } from "./deployment/create/find";
import {
  createDeployment,
  deleteDeployment,
  getOrThrow,
  updateDeployment,
  waitUntilDeleted,
} from "./deployment/create/requests";
import { hasContent, impact } from "./deployment/impact";
import { type Inputs, inputs } from "./deployment/inputs";
import { hasPathUnder, markerIn, secretValuesIn, toInputs, toState, toUpdateRequest } from "./deployment/mapping";
import { findMissingPaths, findNotReturned, schemaOf } from "./deployment/omitted-fields";
import { OPTIONAL_ROUTES } from "./deployment/optional-routes";
import { outputs, type State } from "./deployment/outputs";
import { findTracingProject, withTracingProject } from "./deployment/project";
import { redeployIfNeeded, rollBack } from "./deployment/rollout/redeploy";
import { hasLatestRevisionFailed, waitForRollout } from "./deployment/rollout/rollout";
import { RolloutError } from "./deployment/rollout/rollout-error";
import { findUnfinished } from "./deployment/rollout/unfinished";
import { rules } from "./deployment/rules";
import { withLiveCommit } from "./deployment/source/commits";
import { assertUploadable, isUploadApplied, uploadSource } from "./deployment/source/upload";
import { assertDeleted, isDeleting } from "./shared/not-found";

export const deployment = defineResource<Inputs, State>("Deployment", {
  description:
    "A deployed agent with its database, threads and revisions. `pulumi up` returns when the latest revision is live; if the rollout fails, the error shows the cause, the IDs and the last lines of the log.",
  server: "controlPlane",
  schema: { inputs, outputs },
  rules,
  unique: () => ["name"],
  impact,
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  adopt,
  optionalRoutes: OPTIONAL_ROUTES,

  markerPlace: "its secret PULUMI_RESOURCE",

  async create(desired, ctx) {
    const existing = await findExisting(desired, ctx);
    if (existing) return resumeInterrupted(existing, desired, ctx);
    await assertUploadable(desired);
    const marker = ctx.settings.ownerMarker ? ctx.marker : undefined;
    const remote = await createDeployment(desired, marker, ctx);
    ctx.log.protect(secretValuesIn(remote));
    ctx.clients.deploymentCache.recordChange(remote);
    const observe = (current: RemoteDeployment) => ({
      id: remote.id,
      inputs: desired,
      state: toState(current),
      marker,
    });
    // Without the digest of the source, the next run uploads it again.
    ctx.record({ ...observe(remote), inputs: { ...desired, sourceDigest: undefined } });
    const started = desired.sourcePath === undefined ? remote : await deploySource(remote, desired, ctx);
    ctx.record(observe(remote));
    const live = isCreatedEmpty(desired)
      ? started
      : await waitForRollout(started, desired, ctx).catch(recordFailed(observe, ctx));
    const observed = observe(live);
    const state = await withTracingProject(observed.state, desired.name, ctx);
    return { ...observed, state, notReturned: findMissingPaths(live, desired) };
  },

  async read(id, declared, previous, ctx) {
    const remote = await ctx.clients.deploymentCache.findById(id);
    if (remote && !isDeleting(remote)) {
      ctx.log.protect(secretValuesIn(remote));
      const isManaged = previous.createdAt !== undefined;
      const state = await withLiveCommit(toState(remote, previous), remote, ctx);
      const tracingProjectId = (await findTracingProject(remote.name, ctx)) ?? previous.tracingProjectId;
      const declaredInputs =
        (isManaged && declared ? withoutReportedVersion(declared, previous, remote) : declared) ?? ({} as Inputs);
      const missing = new Set(findMissingPaths(remote, declaredInputs));
      const unready = declared && (await findUnfinished(remote, declaredInputs, ctx));
      const notReturned = ctx.recorded.notReturned?.filter((path) => missing.has(path));
      return {
        id,
        inputs: toInputs(remote, declaredInputs, { isManaged, notReturned }),
        confirmed: confirmedInputs(remote, declaredInputs),
        state: { ...state, tracingProjectId },
        notReturned,
        marker: markerIn(remote),
        ...(unready && { unready }),
      };
    }
    if (!remote) await assertDeleted(id, previous.tenantId, ctx);
    return undefined;
  },

  async update(id, request, ctx) {
    const remoteBefore = await getOrThrow(id, request.previous.tenantId, ctx);
    // Includes the values before a rotation, because the log of the previous revision may contain them.
    ctx.log.protect(secretValuesIn(remoteBefore));
    const change = { ...request, previous: withRemoteSecrets(request.previous, remoteBefore, request.inputs) };
    ctx.clients.deploymentCache.recordChange(remoteBefore);
    const marker = markerIn(remoteBefore) ?? ctx.recorded.marker ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
    const body = await buildUpdateRequest(change, remoteBefore, marker, ctx);
    const isApplied = (remoteAfter: RemoteDeployment) =>
      isUploadApplied(body, remoteBefore, remoteAfter) && !toUpdateRequest(change, remoteAfter, marker);
    const updated = body ? await updateDeployment(id, body, remoteBefore, isApplied, ctx) : remoteBefore;
    const remoteAfter =
      updated.latestRevisionId === remoteBefore.latestRevisionId
        ? await redeployIfNeeded(updated, change, ctx)
        : updated;
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
      .catch((error) => rollBack(error, remoteBefore, remoteAfter, change, ctx))
      .catch(recordFailed(observe, ctx));
    const observed = observe(live);
    const state = await withTracingProject(observed.state, remoteAfter.name, ctx);
    const notReturned = findNotReturned(live, change.inputs, body ?? {}, ctx.recorded.notReturned);
    return { ...observed, state, notReturned };
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const remote = await ctx.clients.deploymentCache.findById(id);
    if (!remote) return assertDeleted(id, previous.tenantId, ctx);
    ctx.log.protect(secretValuesIn(remote));
    if (isDeleting(remote)) {
      ctx.clients.deploymentCache.recordChange(remote);
      return waitUntilDeleted(id, ctx, `deployment ${id} to be deleted`);
    }
    const marker = markerIn(remote);
    if (marker !== undefined && marker !== ctx.recorded.marker && !isSameMarker(marker, ctx.marker)) {
      return {
        warning: `Deployment ${id} ("${remote.name}") is now managed by ${marker}. It was not deleted, and was removed from this stack's state only.`,
      };
    }
    return deleteDeployment(remote, ctx);
  },
});

/** Returns the previous inputs, with the server's secrets in place of those that state does not contain: a rollback sends them. */
const withRemoteSecrets = (previous: Inputs & Partial<State>, remoteBefore: RemoteDeployment, desired: Inputs) =>
  resolvePlaceholders(resolvePlaceholders(previous, toInputs(remoteBefore, previous)), desired);

/** Records what the server holds after a failed rollout, such as a live revision that is not healthy. */
const recordFailed =
  (observe: (current: RemoteDeployment) => Observation, ctx: Context) =>
  (error: unknown): never => {
    if (error instanceof RolloutError) ctx.record(observe(error.failure.remote));
    throw error;
  };

/** Continues with what an interrupted run left. Everything unconfirmed is sent: the program may have changed since then. */
async function resumeInterrupted(
  { id, because }: ExistingDeployment,
  desired: Inputs,
  ctx: Context,
): Promise<Observation<Inputs, State>> {
  ctx.log.warn(`Resuming Deployment ${id}: ${because}${ctx.ownerHint}`);
  const remote = await deployment.read(id, desired, {}, ctx);
  if (!remote)
    throw new OwnershipError(`Deployment ${id} was deleted while it was being resumed. Run \`pulumi up\` again.`);
  ctx.take(id, "resumed");
  const { state, confirmed = remote.inputs, marker = ctx.marker } = remote;
  ctx.record({ id, inputs: confirmed, state, marker });
  const paths = diffPaths(schemaOf(desired), confirmed, desired);
  return deployment.update(
    id,
    { inputs: desired, previous: { ...confirmed, ...state }, paths, isUnfinished: true },
    ctx,
  );
}

/** Whether a deployment is created without content, so that there is no revision to wait for. */
const isCreatedEmpty = (desired: Inputs) => /^internal_(docker|source)$/.test(desired.source) && !hasContent(desired);

/** Returns the declared inputs. State of version 0.1.0 stored the reported version as imageVersion, which is now another output. */
function withoutReportedVersion(
  declared: Inputs,
  { currentImageVersion }: Partial<State>,
  remote: RemoteDeployment,
): Inputs {
  if (currentImageVersion !== undefined || remote.imageVersion == null) return declared;
  const { imageVersion: _, ...declaredInputs } = declared;
  return declaredInputs;
}

/** Uploads the source after the create, because the upload URL belongs to the deployment; this creates the first revision. */
async function deploySource(created: RemoteDeployment, desired: Inputs, ctx: Context): Promise<RemoteDeployment> {
  const body = await uploadSource(created.id, desired, undefined, ctx);
  const isApplied = (remoteAfter: RemoteDeployment) => remoteAfter.latestRevisionId !== created.latestRevisionId;
  return updateDeployment(created.id, body, created, isApplied, ctx);
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
