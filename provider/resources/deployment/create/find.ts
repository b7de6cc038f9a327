/** Finds existing deployments before a create. */
import type { Deployment } from "../../../api/control-plane/client";
import { IncompleteListError } from "../../../api/pagination";
import type { Context } from "../../../definition/context";
import { isSameMarker } from "../../../definition/ownership";
import { ignoreHttpError } from "../../../http/errors";
import { UserError } from "../../../text/user-error";
import { isDeleting } from "../../shared/not-found";
import { DeploymentsOfRun } from "../deployments-of-run";
import { markerIn } from "../mapping";
import { waitUntilDeleted } from "../requests";
import type { Inputs } from "../schema/inputs";
import { type ExistingDeployment, requireResumable } from "./ownership";

/**
 * Returns the deployment that an interrupted run of this resource left; undefined when the name is free.
 * @throws OwnershipError when someone else uses the name. @throws UserError when the server does not list everything.
 */
export async function findExisting(desired: Inputs, ctx: Context): Promise<ExistingDeployment | undefined> {
  const existing = await ctx.clients.deploymentCache.findByName(desired.name).catch((error: unknown) => {
    if (!(error instanceof IncompleteListError)) throw error;
    throw new UserError(
      `${error.message}\nCould not determine whether the name "${desired.name}" is taken. Nothing was created.`,
    );
  });
  if (!existing) {
    await warnOfLeftovers(ctx);
    return undefined;
  }
  if (isDeleting(existing))
    return waitUntilDeleted(existing.id, ctx, `the old deployment ${existing.id} to free the name "${desired.name}"`);
  return requireResumable(existing, desired, ctx);
}

/** Warns about a deployment of an interrupted create whose name has changed since. */
async function warnOfLeftovers(ctx: Context): Promise<void> {
  const hasOwnershipMarker = (deployment: Deployment) =>
    isSameMarker(markerIn(deployment) ?? "", ctx.marker) && !isDeleting(deployment);
  for (const { id } of await ctx.clients.deploymentCache.filterCached(hasOwnershipMarker)) {
    // The list may be older than a delete of this run.
    const remote = ctx.scope.get(DeploymentsOfRun).undeletableIds.has(id)
      ? undefined
      : await ctx.clients.deploymentCache.peekById(id).catch(ignoreHttpError);
    if (!remote || !hasOwnershipMarker(remote)) continue;
    ctx.log.warn(
      `Deployment ${id} ("${remote.name}") has the ownership marker of this resource and another name. An interrupted run or a replacement left it behind, and no state refers to it.\n` +
        `To delete it:  DELETE ${ctx.settings.controlPlaneUrl?.origin}/v2/deployments/${id}\nTo keep it, remove its secret PULUMI_RESOURCE on the server, and declare it as another resource with  import: "${id}"${ctx.ownerHint}`,
    );
  }
}
