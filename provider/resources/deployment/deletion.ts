/** How a deployment is deleted, and how long that takes. */
import { ContradictionError } from "../../api/absence";
import { isDeleting, type Deployment as RemoteDeployment } from "../../api/control-plane/client";
import { UnsupportedError } from "../../api/profile/learned-profile";
import type { Context, RetainedResource } from "../../definition/context";
import { NOT_ENDED_HINT, type WaitOptions, WaitTimeoutError } from "../../definition/wait";
import { HttpError } from "../../http/errors";
import { assertDeleted } from "../../objects/server/endpoint";
import { UserError } from "../../text/user-error";
import { DeploymentsOfRun } from "./deployments-of-run";
import type { Inputs } from "./schema/inputs";
import type { State } from "./schema/outputs";

type Deleted = Pick<RemoteDeployment, "id" | "name"> & Pick<Inputs, "forceDelete">;

/** Deletes a deployment; returns when it is gone, or was shown as being deleted for a minute. */
export async function deleteDeployment(remote: Deleted, ctx: Context): Promise<RetainedResource | undefined> {
  const { controlPlane, deploymentCache } = ctx.clients;
  // What is gone stays gone, so the first read does not wait for the response: a fleet is deleted in half of the time.
  const isGone = isDeleted(remote.id, ctx);
  try {
    await controlPlane.profile.remove("deployments-delete", {
      send: () => controlPlane.deleteDeployment(remote.id),
      exists: async () => {
        const current = await deploymentCache.findCurrent(remote.id);
        return current !== undefined && !isDeleting(current);
      },
    });
    return await finishDeletion(remote, ctx, isGone);
  } catch (error) {
    if (error instanceof HttpError && error.isRejection) throw error.withHint(NOT_ENDED_HINT);
    if (!(error instanceof UnsupportedError)) throw error;
  }
  ctx.scope.get(DeploymentsOfRun).undeletableIds.add(remote.id);
  return {
    warning:
      `Deployment ${remote.id} ("${remote.name}") was not deleted, because this server does not support ` +
      "deletion. It was removed from this stack's state only and is still running. Delete it manually.",
  };
}

const isDeleted = (id: string, { clients }: Context): Promise<boolean> =>
  clients.deploymentCache.findDeleted(id).then(
    (found) => found === undefined,
    () => false,
  );

/** How long an accepted deletion is awaited: some servers show the deployment for a week (API `4A.DELETE:grace`). */
const ACCEPTED_AFTER_MS = 60_000;
/** The longest time that a platform is reported to take (API `4A.DELETE:grace`). */
const WEEK_MS = 7 * 24 * 3_600_000;

/** Finishes an accepted deletion, if need be by force. Returns what remains, or is hidden, after a minute. */
export async function finishDeletion(
  deleted: Deleted,
  ctx: Context,
  isGone?: Promise<boolean>,
): Promise<RetainedResource | undefined> {
  const { id, name, forceDelete = false } = deleted;
  const { deploymentCache, controlPlane } = ctx.clients;
  deploymentCache.recordChange({ id, name });
  ctx.scope.get(DeploymentsOfRun).deletedNames.add(name);
  const isKept = controlPlane.profile.has("deletes-in-a-week") === true;
  const status = (await isGone) ? undefined : await waitUntilAccepted(id, forceDelete || isKept, ctx);
  const isHidden = status === undefined;
  if (!forceDelete || (isHidden && !isKept)) return describeRemaining(deleted, status, ctx);
  const ended = await endDeletion(id, name, ctx);
  if (ended) return ended;
  if (isHidden) return describeRemaining(deleted, status, ctx);
  const last = await waitUntilAccepted(id, isKept, ctx);
  return last === undefined ? undefined : describeRemaining(deleted, last, ctx);
}

/** Says what may remain of one that was deleted before. Nothing is forced: the server does not show whose it was. */
export async function describeDeleted(deleted: Deleted & Partial<State>, ctx: Context) {
  await assertDeleted(deleted.id, deleted.tenantId, ctx);
  ctx.scope.get(DeploymentsOfRun).deletedNames.add(deleted.name);
  return describeRemaining(deleted, undefined, ctx);
}

/** Says what remains of a deployment. @param status With which the server shows it; undefined if it does not. */
function describeRemaining(
  { id, name, forceDelete }: Deleted,
  status: string | undefined,
  ctx: Context,
): RetainedResource | undefined {
  const isHidden = status === undefined;
  if (isHidden && !ctx.clients.controlPlane.profile.has("deletes-in-a-week")) return undefined;
  const end = new Date(ctx.serverNow() + WEEK_MS).toISOString().slice(0, 10);
  const kept = `the database and the name "${name}"`;
  const what = isHidden
    ? `is deleted, and no longer shown. The platform keeps ${kept} for a week (until ${end} at the latest)`
    : `is being deleted: the server has accepted it and shows ${status}. Until the server has finished, which may ` +
      `take a week (until ${end}), it keeps ${kept}`;
  const forced = isHidden && forceDelete ? " forceDelete ended nothing, because the server does not show it." : "";
  return { info: `Deployment ${id} ("${name}") ${what}, and the agent may run for another hour.${forced}` };
}

/** Waits until a deployment is gone, or for a minute unless `isSlow`. Returns the status that is still shown. */
async function waitUntilAccepted(id: string, isSlow: boolean, ctx: Context): Promise<string | undefined> {
  let accepted: { status: string; at: number } | undefined;
  const isEnough = (remote: RemoteDeployment | undefined) => {
    const now = ctx.clock.monotonic();
    accepted = remote && isDeleting(remote) ? { status: remote.status, at: accepted?.at ?? now } : undefined;
    return accepted !== undefined && (isSlow || now - accepted.at >= ACCEPTED_AFTER_MS);
  };
  try {
    const onInterruptHint = "the server continues the deletion, and the next `pulumi destroy` resumes waiting";
    const what = `deployment ${id} to be deleted`;
    await waitUntilDeleted(id, ctx, { what, onInterruptHint, onTimeoutHint: NOT_ENDED_HINT, isEnough });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError) || !accepted) throw error;
  }
  return accepted?.status;
}

/** Ends an accepted deletion, whose database the server would keep. Undefined where it is gone, or still exists. */
async function endDeletion(id: string, name: string, ctx: Context): Promise<RetainedResource | undefined> {
  try {
    await ctx.clients.controlPlane.deleteDeployment(id, { force: true });
    if (!(await isDeleted(id, ctx))) return undefined;
    return { info: `Deployment ${id} ("${name}") is deleted with its database. The name "${name}" stays reserved.` };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isNotFound) return undefined;
    return {
      warning:
        `Deployment ${id} ("${name}") is being deleted, but forceDelete was not possible: ${error.message}\nThe ` +
        "server may keep the database for up to a week.",
    };
  }
}

/** @throws UserError before a replacement whose new deployment could not have the name of the one that it deletes. */
export function assertNameIsFreed({ name, agent }: Pick<Inputs, "name" | "agent">, ctx: Context): void {
  const { settings, clients, scope } = ctx;
  const pathOf = () => clients.pathOf("controlPlane") ?? settings.controlPlaneUrl?.pathname ?? "";
  // Only self-hosted platforms have this path (API `5:base-urls`), and they keep names.
  const isKept = clients.controlPlane.profile.has("deletes-in-a-week") ?? /\/api-host\/*$/.test(pathOf());
  scope.get(DeploymentsOfRun).replacedNames.add(name);
  if (!isKept) return;
  const [what, reserved] = agent ? ["environment", `environment "${agent.environment}"`] : ["name", `name "${name}"`];
  throw new UserError(
    `The platform keeps the ${reserved} for up to a week after its deployment is deleted, so a new deployment could ` +
      `not have it. No changes were made. Choose another ${what} in the same change.`,
  );
}

export async function waitUntilNameIsFree(id: string, name: string, ctx: Context): Promise<undefined> {
  if (ctx.clients.controlPlane.profile.has("deletes-in-a-week"))
    throw new UserError(
      `Deployment ${id}, which is being deleted, keeps the name "${name}". Nothing was created.\n${RESERVED_NAME_HINT}`,
    );
  const what = `the old deployment ${id} to free the name "${name}"`;
  await waitUntilDeleted(id, ctx, { what, onInterruptHint: NOTHING_CREATED, onTimeoutHint: RESERVED_NAME_HINT });
}

export const RESERVED_NAME_HINT =
  "The server keeps the name of a deleted deployment until it has finished the deletion, which may take up to " +
  "a week. Choose another name, or run `pulumi up` again later.";

export const NOTHING_CREATED = "nothing was created yet";

interface DeletionWait extends Required<Pick<WaitOptions<unknown>, "what" | "onInterruptHint" | "onTimeoutHint">> {
  /** Whether to stop waiting for a deployment that still exists; called for each response. */
  isEnough?: (remote: RemoteDeployment | undefined) => boolean;
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
    return isEnough(remote) || !remote ? { done: undefined } : { pending: remote.status, isShared: true };
  };
  await ctx.waitUntil({ kind: "deletion", ...described, poll });
}

/** While a server deletes, its routes may disagree for some time, and a 404 of the list proves nothing either. */
const CONTRADICTION = Symbol("contradiction");
const ignoreContradiction = (error: unknown): typeof CONTRADICTION => {
  const isOfList = error instanceof HttpError && error.isNotFound;
  if (isOfList || error instanceof ContradictionError) return CONTRADICTION;
  throw error;
};
