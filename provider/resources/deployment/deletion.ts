/** How a deployment is deleted, and how long that takes. */
import { ContradictionError } from "../../api/absence";
import { isDeleting, type Deployment as RemoteDeployment } from "../../api/control-plane/client";
import { UnsupportedError } from "../../api/profile/learned-profile";
import type { Context, RetainedResource } from "../../definition/context";
import { type WaitOptions, WaitTimeoutError } from "../../definition/wait";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { DeploymentsOfRun } from "./deployments-of-run";

/**
 * Deletes a deployment, and returns when it no longer exists, or when the server has shown for a minute that it deletes
 * it.
 */
export async function deleteDeployment(
  remote: RemoteDeployment,
  forceDelete: boolean,
  ctx: Context,
): Promise<RetainedResource | undefined> {
  const { controlPlane, deploymentCache } = ctx.clients;
  // What is gone stays gone, so the first read does not wait for the response: a fleet is deleted in half of the time.
  const isGone = deploymentCache.findDeleted(remote.id).then(
    (found) => found === undefined,
    () => false,
  );
  try {
    await controlPlane.profile.remove("deployments-delete", {
      send: () => controlPlane.deleteDeployment(remote.id),
      exists: async () => {
        const current = await deploymentCache.findCurrent(remote.id);
        return current !== undefined && !isDeleting(current);
      },
    });
    return await finishDeletion(remote, forceDelete, ctx, isGone);
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
  }
  ctx.scope.get(DeploymentsOfRun).undeletableIds.add(remote.id);
  return {
    warning:
      `Deployment ${remote.id} ("${remote.name}") was not deleted, because this server does not support ` +
      "deletion. It was removed from this stack's state only and is still running. Delete it manually.",
  };
}

/** How long an accepted deletion is awaited: some servers show the deployment for a week (API `4A.DELETE:grace`). */
const ACCEPTED_AFTER_MS = 60_000;
/** The longest time that a platform is reported to take (API `4A.DELETE:grace`). */
const WEEK_MS = 7 * 24 * 3_600_000;

/** Waits for the end of an accepted deletion. Returns what remains where the server takes longer than a minute. */
export async function finishDeletion(
  { id, name }: Pick<RemoteDeployment, "id" | "name">,
  forceDelete: boolean,
  ctx: Context,
  isGone?: Promise<boolean>,
): Promise<RetainedResource | undefined> {
  ctx.clients.deploymentCache.recordChange({ id, name });
  ctx.scope.get(DeploymentsOfRun).deletedNames.add(name);
  if (await isGone) return undefined;
  const { profile } = ctx.clients.controlPlane;
  let accepted: { status: string; at: number } | undefined;
  const isLongAccepted = (remote: RemoteDeployment) => {
    const now = ctx.clock.monotonic();
    accepted = isDeleting(remote) ? { status: remote.status, at: accepted?.at ?? now } : undefined;
    const isSlow = forceDelete || profile.has("deletes-in-a-week");
    return accepted !== undefined && (isSlow || now - accepted.at >= ACCEPTED_AFTER_MS);
  };
  try {
    const onInterruptHint = "the server continues the deletion, and the next `pulumi destroy` resumes waiting";
    const what = `deployment ${id} to be deleted`;
    await waitUntilDeleted(id, ctx, { what, onInterruptHint, isEnough: isLongAccepted });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError) || !accepted) throw error;
  }
  if (!accepted) return undefined;
  if (forceDelete) return (await endDeletion(id, name, ctx)) ?? finishDeletion({ id, name }, false, ctx);
  const end = new Date(ctx.serverNow() + WEEK_MS).toISOString().slice(0, 10);
  return {
    info:
      `Deployment ${id} ("${name}") is being deleted: the server has accepted it and shows ${accepted.status}. ` +
      `Until the server has finished, which may take a week (until ${end}), it keeps the database and the name ` +
      `"${name}", and the agent may run for another hour.`,
  };
}

/** Ends an accepted deletion, whose database the server would keep. Undefined where the deployment still exists. */
async function endDeletion(id: string, name: string, ctx: Context): Promise<RetainedResource | undefined> {
  try {
    await ctx.clients.controlPlane.deleteDeployment(id, { force: true });
    const isGone = await ctx.clients.deploymentCache.findDeleted(id).then(
      (found) => found === undefined,
      () => false,
    );
    if (!isGone) return undefined;
    return { info: `Deployment ${id} ("${name}") is deleted with its database. The name "${name}" stays reserved.` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return {
      warning:
        `Deployment ${id} ("${name}") is being deleted, but forceDelete was not possible: ${error.message}\nThe ` +
        "server may keep the database for up to a week.",
    };
  }
}

/** Waits until the name of a deleted deployment is free. @throws UserError that says why it is not. */
export async function waitUntilNameIsFree(id: string, name: string, ctx: Context): Promise<undefined> {
  if (ctx.clients.controlPlane.profile.has("deletes-in-a-week"))
    throw new UserError(
      `Deployment ${id}, which is being deleted, keeps the name "${name}". Nothing was created.\n${RESERVED_NAME_HINT}`,
    );
  const what = `the old deployment ${id} to free the name "${name}"`;
  await waitUntilDeleted(id, ctx, { what, onInterruptHint: NOTHING_CREATED }).catch((error: unknown) => {
    throw error instanceof WaitTimeoutError ? new UserError(`${error.message}\n${RESERVED_NAME_HINT}`) : error;
  });
}

export const RESERVED_NAME_HINT =
  "The server keeps the name of a deleted deployment until it has finished the deletion, which may take up to " +
  "a week. Choose another name, or run `pulumi up` again later.";

/** What an interruption means for a create that waits for its name. */
export const NOTHING_CREATED = "nothing was created yet";

interface DeletionWait extends Required<Pick<WaitOptions<unknown>, "what" | "onInterruptHint">> {
  /** Whether to stop waiting for a deployment that still exists. */
  isEnough?: (remote: RemoteDeployment) => boolean;
}

/** Waits until a deployment is deleted. After the first poll, all waits share the list, which proves presence only. */
async function waitUntilDeleted(
  id: string,
  ctx: Context,
  { isEnough = () => false, ...described }: DeletionWait,
): Promise<void> {
  const { deploymentCache } = ctx.clients;
  let isFirst = true;
  const read = async () => {
    const listed = isFirst ? undefined : await deploymentCache.poll(id);
    isFirst = false;
    return listed ?? deploymentCache.findDeleted(id);
  };
  const poll = async () => {
    const remote = await read().catch(ignoreContradiction);
    if (remote === CONTRADICTION) return { pending: "404, but perhaps still in the list" };
    return remote && !isEnough(remote) ? { pending: remote.status, isShared: true } : { done: undefined };
  };
  await ctx.waitUntil({ kind: "deletion", ...described, poll });
}

/**
 * While a server deletes an object, its routes may disagree for some time, and a 404 of the list proves nothing either.
 */
const CONTRADICTION = Symbol("contradiction");
const ignoreContradiction = (error: unknown): typeof CONTRADICTION => {
  const isOfList = error instanceof HttpError && error.isNotFound;
  if (isOfList || error instanceof ContradictionError) return CONTRADICTION;
  throw error;
};
