/** The requests about one deployment, except the one that creates it. A lost response is resolved by reading the deployment. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { RetainedResource } from "../../definition/results";
import { HttpError, ignoreHttpError, ignoreNotFound } from "../../http/errors";
import { assertDeleted, isDeleting } from "../shared/not-found";
import { sendRemoval } from "../shared/optional-route";
import { DeploymentsOfRun } from "./deployments-of-run";
import { isMasked } from "./response";
import type { State } from "./schema/fields";

/** Returns the deployment. @throws OwnershipError with what to do when it was deleted. */
export async function getOrThrow(id: string, tenantId: string | undefined, ctx: Context): Promise<RemoteDeployment> {
  const remote = await ctx.clients.deploymentCache.findCurrent(id);
  if (remote && !isDeleting(remote)) return remote;
  if (!remote) await assertDeleted(id, tenantId, ctx);
  throw new OwnershipError(
    `Deployment ${id} ${remote ? "is being deleted" : "no longer exists"} on the server, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
  );
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

/** Adds the commit of the live revision to the state, with a request only if it is unknown. A failure is ignored. */
export async function withLiveCommit(state: State, { id, source }: RemoteDeployment, ctx: Context): Promise<State> {
  const { activeRevisionId, activeRepoCommitSha } = state;
  if (source !== "githost" || activeRevisionId === undefined || activeRepoCommitSha !== undefined) return state;
  if (activeRevisionId === state.latestRevisionId) return state;
  const revision = await ctx.clients.controlPlane.getRevision(id, activeRevisionId).catch(ignoreHttpError);
  return { ...state, activeRepoCommitSha: revision?.sourceRevisionConfig?.repoCommitSha ?? undefined };
}

/**
 * Returns the ID of the tracing project that is created with each deployment and has its name (API `1A`), if it is available.
 * A failure only causes a warning.
 */
export async function findTracingProject(name: string, ctx: Context): Promise<string | undefined> {
  if (ctx.settings.missing.tracing.length > 0) return undefined;
  try {
    return (await ctx.clients.projectCache.findByName(name))?.id;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    ctx.log.warn(`tracingProjectId is unknown, because the request to the tracing API failed: ${error.message}`);
    return undefined;
  }
}
