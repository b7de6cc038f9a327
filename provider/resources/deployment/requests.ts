/** Requests that are sent once; a lost response is resolved by reading the deployment. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { RetainedResource } from "../../definition/results";
import { HttpError, ignoreNotFound } from "../../http/errors";
import { NEXT_UP_HINT, toUndeterminedError } from "../shared/idempotent-create";
import { assertDeleted, isDeleting } from "../shared/not-found";
import { sendRemoval } from "../shared/optional-route";
import { createdInThisRun } from "./create/ownership";
import { explainRejection } from "./create/rejections";
import { DeploymentsOfRun } from "./deployments-of-run";
import { isMasked, markerIn, toCreateRequest } from "./mapping";
import type { Inputs } from "./schema/inputs";

/** Returns the deployment. @throws OwnershipError with what to do when it was deleted. */
export async function getOrThrow(id: string, tenantId: string | undefined, ctx: Context): Promise<RemoteDeployment> {
  const remote = await ctx.clients.deploymentCache.findCurrent(id);
  if (remote && !isDeleting(remote)) return remote;
  if (!remote) await assertDeleted(id, tenantId, ctx);
  throw new OwnershipError(
    `Deployment ${id} ${remote ? "is being deleted" : "no longer exists"} on the server, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
  );
}

/** Creates a deployment. A lost response is resolved by its name, never by a second POST. */
export async function createDeployment(
  desired: Inputs,
  marker: string | undefined,
  ctx: Context,
): Promise<RemoteDeployment> {
  try {
    return await ctx.clients.controlPlane.createDeployment(toCreateRequest(desired, marker));
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw await explainRejection(error, ctx);
    const created = await ctx.clients.deploymentCache.searchByName(desired.name).catch((failure: unknown) => {
      throw toUndeterminedError(error, failure);
    });
    if (!created)
      throw error.withHint(
        `No deployment has the name "${desired.name}", so it was probably not created. ${NEXT_UP_HINT}`,
      );
    if (marker === undefined || isMasked(created) ? createdInThisRun(created, ctx) : markerIn(created) === marker)
      return created;
    throw error;
  }
}

/**
 * Updates a deployment. A lost response is resolved by what the server holds; if secrets are masked, only a new revision
 * proves that the update was applied.
 */
export async function updateDeployment(
  remoteBefore: RemoteDeployment,
  body: DeploymentBody,
  isApplied: (remoteAfter: RemoteDeployment) => boolean,
  ctx: Context,
): Promise<RemoteDeployment> {
  const { id } = remoteBefore;
  try {
    return await ctx.clients.controlPlane.updateDeployment(id, body);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    const remoteAfter = await ctx.clients.controlPlane.getDeployment(id);
    const wasApplied = isMasked(remoteAfter)
      ? remoteAfter.latestRevisionId !== remoteBefore.latestRevisionId
      : isApplied(remoteAfter);
    if (!wasApplied) throw error;
    return remoteAfter;
  }
}

/** Deletes a deployment, and returns when it no longer exists. */
export async function deleteDeployment(remote: RemoteDeployment, ctx: Context): Promise<RetainedResource | undefined> {
  const removal = sendRemoval({
    send: () => ctx.clients.controlPlane.deleteDeployment(remote.id),
    exists: async () => {
      const current = await ctx.clients.deploymentCache.findCurrent(remote.id);
      return current !== undefined && !isDeleting(current);
    },
    clock: ctx.clock,
    route: "DELETE",
    support: ctx.clients.controlPlane.routes,
  });
  const isGone = isGoneMeanwhile(remote.id, ctx);
  if (!("missing" in (await removal))) {
    ctx.clients.deploymentCache.recordChange(remote);
    return (await isGone) ? undefined : waitUntilDeleted(remote.id, ctx, `deployment ${remote.id} to be deleted`);
  }
  ctx.scope.get(DeploymentsOfRun).undeletableIds.add(remote.id);
  return {
    warning: `Deployment ${remote.id} ("${remote.name}") was not deleted, because this server does not support deletion. It was removed from this stack's state only and is still running. Delete it manually.`,
  };
}

/**
 * Reads a deployment while its deletion is requested, on a server that deletes at once, which saves a round trip. Returns
 * whether it no longer exists. Sends no read on other servers, and none in the rest of the run after one came too early.
 */
async function isGoneMeanwhile(id: string, ctx: Context): Promise<boolean> {
  const run = ctx.scope.get(DeploymentsOfRun);
  if (!run.deletesAtOnce) return false;
  const read = ctx.clients.controlPlane.getDeployment(id).catch(ignoreNotFound);
  const isGone = await read.then(
    (remote) => remote === undefined,
    () => false, // The wait that follows reports errors.
  );
  if (!isGone) run.deletesAtOnce = false;
  return isGone;
}

/** Waits until a deployment is deleted. After the first poll, many waits share the list. Only a 404 of the object means deleted. */
export async function waitUntilDeleted(id: string, ctx: Context, what: string): Promise<undefined> {
  const { controlPlane, deploymentCache } = ctx.clients;
  const run = ctx.scope.get(DeploymentsOfRun);
  let pollCount = 0;
  const pollSharedList = () => (pollCount > 0 && run.sharesDeletionPolls ? deploymentCache.poll(id) : undefined);
  run.deletionCount += 1;
  try {
    await ctx.waitUntil({
      kind: "deletion",
      what,
      poll: async () => {
        const remote = (await pollSharedList()) ?? (await controlPlane.getDeployment(id).catch(ignoreNotFound));
        if (pollCount++ === 0) run.deletesAtOnce ??= remote === undefined;
        return remote ? { pending: remote.status, isShared: run.sharesDeletionPolls } : { done: true };
      },
    });
  } finally {
    run.deletionCount -= 1;
  }
}
