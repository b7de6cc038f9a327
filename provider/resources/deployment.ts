/**
 * Deployment: an agent server that the control plane runs (API `1A`).
 *
 * create: POST /v2/deployments · read: GET · update: PATCH · delete: DELETE, then wait until it no longer exists. Each
 * change of what runs is a revision, and create and update return when that revision is live.
 *
 * In a PATCH both null and absent mean "keep", and a non-null revision field creates a revision even when its value is
 * unchanged. So an update sends only what changed.
 */
import { isDeleting, type Deployment as RemoteDeployment } from "../api/control-plane/client";
import type { Context, Observation, RetainedResource } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import { assertDeleted } from "../objects/server/endpoint";
import { diffPaths } from "../schema/compare";
import { hasNewRevision, updateDeployment, waitForNewRevision } from "./deployment/applied";
import {
  findKept,
  keepBeforeDelete,
  keepBeforeReplace,
  pendingState,
  restorePending,
  succession,
  unreadyWhilePending,
} from "./deployment/conversations/move";
import { createDeployment } from "./deployment/create";
import { assertNameIsFreed, deleteDeployment, describeDeleted, finishDeletion } from "./deployment/deletion";
import { DeploymentsOfRun } from "./deployment/deployments-of-run";
import { adopt, listing, NAMELESS, SECRETS_OMITTED } from "./deployment/mapping/adopt";
import { declaresNoContent } from "./deployment/mapping/mapping";
import { hidesMarker, markerIn } from "./deployment/mapping/marker";
import {
  confirmedInputs,
  findMissingPaths,
  findTracingProject,
  nameIn,
  schemaOf,
  secretValuesIn,
  toInputs,
  toState,
  withLiveCommit,
} from "./deployment/mapping/response";
import { type ExistingDeployment, findByName, findExisting, foreignMarker } from "./deployment/ownership";
import { consequencesOf, explainResume, warnOfMissingContent, warnOfRefusal } from "./deployment/previews";
import { assertReferences } from "./deployment/references";
import { findUnfinished } from "./deployment/rollout/redeploy";
import { waitForRollout } from "./deployment/rollout/rollout";
import { RolloutError } from "./deployment/rollout/rollout-error";
import { findChosen } from "./deployment/schema/choices";
import { FORCED } from "./deployment/schema/fields";
import { type Inputs, inputs } from "./deployment/schema/inputs";
import { outputs, type State } from "./deployment/schema/outputs";
import { rules } from "./deployment/schema/rules";
import { assertUploadable, uploadSource } from "./deployment/source/upload";
import { update } from "./deployment/update";
import { rememberFailure, withoutFailure } from "./deployment/verify/memory";
import { assertVerifiable, verifyRevision } from "./deployment/verify/verify";

export const deployment = defineResource<Inputs, State>("Deployment", {
  description:
    "A deployed agent with its database, threads and revisions. `pulumi up` returns when the latest revision " +
    "is live; if the rollout fails, the error shows the cause, the IDs and the last lines of the log.",
  server: "controlPlane",
  schema: { inputs, outputs },
  rules,
  unique: () => ["name"],
  impact: {
    replacement: "replace",
    loses: "its database and threads",
    onDelete: ({ forceDelete }) => (forceDelete === true ? FORCED : null),
    shortPath: (path) => path.replace(/^source(Revision)?Config\./, "").replace(/^verifyDigest$/, "verify"),
    onCreate: ({ inputs }, replacing) => consequencesOf(inputs, replacing !== undefined),
    onResume: explainResume,
    warn: (changes, context) => warnOfMissingContent(changes, context) ?? warnOfRefusal(context),
  },
  succession,
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  listing,
  adopt,
  updatedBy: "deployments-patch",

  markerPlace: "its secret PULUMI_RESOURCE",

  async create(desired, ctx) {
    const existing = await findExisting(desired, ctx);
    if (existing) return resumeInterrupted(existing, desired, ctx);
    await assertUploadable(desired);
    await assertVerifiable(desired, undefined, ctx);
    const kept = pendingState(await findKept(desired, ctx));
    const marker = ctx.settings.ownerMarker ? ctx.marker : undefined;
    const remote = await createDeployment(desired, marker, ctx);
    ctx.log.protect(secretValuesIn(remote, desired));
    ctx.clients.deploymentCache.recordChange(remote);
    let own = remote;
    // What others have deployed since differs from the program, unless it is the same.
    const inputsOf = (current: RemoteDeployment) =>
      own.latestRevisionId == null || [own.latestRevisionId, null, undefined].includes(current.latestRevisionId)
        ? desired
        : { ...toInputs(current, desired, { isInState: true }), sourceDigest: undefined };
    const observe = (current: RemoteDeployment, error?: unknown) => ({
      id: remote.id,
      inputs: inputsOf(current),
      state: rememberFailure(toState(current, kept), error, { desired, own }, ctx.clock),
      marker,
    });
    // Without the digest of the source, the next run uploads it again.
    ctx.record({ ...observe(remote), inputs: { ...desired, sourceDigest: undefined } });
    const started = await completeCreate(remote, desired, ctx);
    ctx.record(observe(remote));
    const isEmpty = declaresNoContent(desired);
    // Some servers make the first revision after the response. That of a folder follows its upload.
    const before = { latestRevisionId: desired.sourcePath === undefined ? null : remote.latestRevisionId };
    own = isEmpty ? started : await waitForNewRevision(before, started, desired, ctx);
    const rollout = isEmpty ? undefined : rollOut(own, remote, desired, ctx);
    const live = await rollout?.catch((error: unknown) => {
      if (error instanceof RolloutError) ctx.record(observe(error.failure.remote, error));
      throw error;
    });
    const observed = observe(live ?? own);
    const known = live ? withoutFailure(observed.state, desired) : observed.state;
    if (live) ctx.record({ ...observed, state: known });
    const restored = live ? await restorePending(live, desired, known, ctx) : known;
    const state = { ...restored, tracingProjectId: await findTracingProject(live ?? own, desired, ctx) };
    const notReturned = findMissingPaths(live ?? own, desired);
    const chosen = findChosen(live ?? own, desired.sourceConfig?.resourceSpec);
    return { ...observed, state, notReturned, chosen, ...unreadyWhilePending(state) };
  },

  async read(id, declared, previous, ctx) {
    const remote = await ctx.clients.deploymentCache.findById(id);
    if (remote && !isDeleting(remote)) {
      ctx.log.protect(secretValuesIn(remote, declared ?? {}));
      const isInState = previous.createdAt !== undefined;
      const state = await withLiveCommit(toState(remote, previous), remote, ctx);
      const declaredInputs =
        (isInState && declared ? withoutReportedVersion(declared, previous, remote) : declared) ?? ({} as Inputs);
      const tracingProjectId = (await findTracingProject(remote, declaredInputs, ctx)) ?? previous.tracingProjectId;
      const missing = new Set(findMissingPaths(remote, declaredInputs));
      const unready = declared && (await findUnfinished(remote, declaredInputs, state, ctx));
      const notReturned = ctx.recorded.notReturned?.filter((path) => missing.has(path));
      return {
        id,
        inputs: toInputs(remote, declaredInputs, { ...ctx.recorded, isInState, notReturned }),
        confirmed: confirmedInputs(remote, declaredInputs),
        state: { ...state, tracingProjectId },
        notReturned,
        marker: markerIn(remote),
        isMarkerHidden: hidesMarker(remote),
        omission: remote.secrets === undefined ? SECRETS_OMITTED : undefined,
        ...(nameIn(remote, declaredInputs).name === undefined && { unmanageable: NAMELESS }),
        ...unreadyWhilePending(state),
        ...(unready && { unready }),
      };
    }
    if (!remote) await assertDeleted(id, previous.tenantId, ctx);
    return undefined;
  },

  update,

  async beforeReplace(id, { desired, previous }, ctx) {
    if (desired.name === previous.name) assertNameIsFreed(previous, ctx);
    else if (desired.name !== undefined) await findByName(desired as Inputs, ctx);
    await assertReferences(desired, ctx);
    await assertUploadable(desired);
    await keepBeforeReplace(id, desired, previous, ctx);
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const found = await ctx.clients.deploymentCache.findById(id);
    if (!found) return describeDeleted({ ...previous, id }, ctx);
    const marker = foreignMarker(found, ctx);
    // Another stack may want what the server keeps of its own, and a name is not free after a deletion by force.
    const isReused = ctx.scope.get(DeploymentsOfRun).replacedNames.has(previous.name);
    const forceDelete = previous.forceDelete === true && marker === undefined && !isReused;
    const remote = { ...found, name: found.name || previous.name, forceDelete };
    ctx.log.protect(secretValuesIn(remote, previous));
    if (isDeleting(remote)) return finishDeletion(remote, ctx);
    if (marker !== undefined) {
      return {
        warning:
          `Deployment ${id} ("${remote.name}") is now managed by ${marker}. It was not deleted, and was removed ` +
          "from this stack's state only.",
      };
    }
    const where = await keepBeforeDelete(remote, previous, ctx);
    const retained = await deleteDeployment(remote, ctx);
    if (where === undefined) return retained;
    if (retained && "warning" in retained) return { warning: `${retained.warning}\n${where}` };
    return { info: retained ? `${retained.info}\n${where}` : where };
  },
});

/** Continues with what an interrupted run left. All unconfirmed is sent: the program may have changed since. */
async function resumeInterrupted(
  { id, because }: ExistingDeployment,
  desired: Inputs,
  ctx: Context,
): Promise<Observation<Inputs, State>> {
  ctx.log.warn(`Resuming Deployment ${id}: ${because}${ctx.ownerHint}`);
  const remote = await deployment.read(id, desired, {}, ctx);
  if (!remote)
    throw new OwnershipError(`Deployment ${id} was deleted while it was being resumed. Run \`pulumi up\` again.`);
  ctx.noteExisting(id, "resumed");
  const { confirmed = remote.inputs, marker = ctx.marker } = remote;
  const state = { ...remote.state, ...pendingState(await findKept(desired, ctx, id)) };
  ctx.record({ id, inputs: confirmed, state, marker });
  const paths = diffPaths(schemaOf(desired), confirmed, desired);
  return update(id, { inputs: desired, previous: confirmed, state, paths, isUnfinished: true }, ctx);
}

/** Returns the declared inputs. Version 0.1.0 stored the reported version as imageVersion, now another output. */
function withoutReportedVersion(
  declared: Inputs,
  { currentImageVersion }: Partial<State>,
  remote: RemoteDeployment,
): Inputs {
  if (currentImageVersion !== undefined || remote.imageVersion == null) return declared;
  const { imageVersion: _, ...declaredInputs } = declared;
  return declaredInputs;
}

async function rollOut(started: RemoteDeployment, created: RemoteDeployment, desired: Inputs, ctx: Context) {
  const live = await waitForRollout(started, desired, ctx, { earlier: [created] });
  await verifyRevision(live, desired, ctx, [created]);
  return live;
}

/**
 * Sends what a create cannot contain: the display name (API `2A.Deployment.display_name`), and the source, because the
 * upload URL belongs to the deployment. The source creates the first revision.
 */
async function completeCreate(created: RemoteDeployment, desired: Inputs, ctx: Context): Promise<RemoteDeployment> {
  const { displayName, sourcePath } = desired;
  if (displayName === undefined && sourcePath === undefined) return created;
  const named = displayName === undefined ? undefined : { displayName };
  const body = await uploadSource(created.id, desired, named, ctx);
  return updateDeployment(created, body, ctx, (after) =>
    sourcePath === undefined ? after.displayName === displayName : hasNewRevision(created, after),
  );
}
