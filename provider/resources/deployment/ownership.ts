/**
 * Whose a deployment is, as far as a response shows. What is unknown is not ours: no path changes or deletes a deployment
 * because of a time or a name alone (docs/internal/ownership.md).
 */
import type { Deployment as RemoteDeployment } from "../../api/control-plane/client";
import { isDeleting } from "../../api/control-plane/schemas";
import type { Context } from "../../definition/context";
import { isSameMarker, OwnershipError } from "../../definition/ownership";
import { assertDeleted } from "../../objects/server/not-found";
import { parseServerTimestamp } from "../../schema/timestamp";
import { driftPaths, isImmutable, isMasked, markerIn } from "./response";
import type { Inputs } from "./schema/inputs";

/** Whether a response shows the ownership marker if there is one. Servers mask secrets, or hide them until the first revision. */
export const showsMarker = (remote: RemoteDeployment): boolean =>
  !isMasked(remote) &&
  (remote.secrets?.length ? true : remote.secrets !== undefined && remote.latestRevisionId != null);

/**
 * Returns the marker of a deployment that another resource manages by now; undefined when the marker is ours, the one in
 * state, absent or not shown. Such a deployment is in state, so its ID is the proof that it is ours.
 */
export function foreignMarker(remote: RemoteDeployment, ctx: Context): string | undefined {
  const marker = markerIn(remote);
  const isOwn = marker === undefined || marker === ctx.recorded.marker || isSameMarker(marker, ctx.marker);
  return isOwn ? undefined : marker;
}

/**
 * Returns the deployment that an update may change.
 * @throws OwnershipError with what to do when it was deleted, or when another resource manages it by now.
 */
export async function readOwn(id: string, tenantId: string | undefined, ctx: Context): Promise<RemoteDeployment> {
  const remote = await ctx.clients.deploymentCache.findCurrent(id);
  if (!remote) await assertDeleted(id, tenantId, ctx);
  if (!remote || isDeleting(remote))
    throw new OwnershipError(
      `Deployment ${id} ${remote ? "is being deleted" : "no longer exists"} on the server, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
    );
  const marker = foreignMarker(remote, ctx);
  // State of version 0.1.0 may have no marker, and an alias may have renamed the resource since.
  if (marker === undefined || ctx.recorded.marker === undefined) return remote;
  throw new OwnershipError(
    `Deployment ${remote.id} is now managed by ${marker}. No changes were made.\n` +
      "To manage it there alone, remove this resource from the program: a destroy keeps the deployment.",
  );
}

/**
 * Returns the declared paths by which a deployment is certainly another one than the declared. Without the size class,
 * which the server chooses.
 */
export const creationDifferences = (remote: RemoteDeployment, desired: Inputs): string[] =>
  driftPaths(remote, desired).filter((path) => isIdentity(path) || path === "sourceRevisionConfig.imageUri");

/** Whether a difference shows that a deployment was not created from these inputs. */
export const isIdentity = (path: string): boolean => isImmutable(path) && path !== "sourceConfig.deploymentType";

/** Returns the time of creation in milliseconds; NaN, which compares as neither recent nor old, if the server does not return it. */
export const createdAtMs = (remote: RemoteDeployment): number =>
  Number(parseServerTimestamp(remote.createdAt) ?? Number.NaN) / 1000;

/** Margin for the Date header, which has whole seconds. */
export const MARGIN_MS = 2000;
