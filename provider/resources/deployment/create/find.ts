/** What the workspace already holds when a deployment is to be created. */
import type { Deployment } from "../../../api/control-plane/client";
import { IncompleteListError } from "../../../api/pagination";
import type { Context } from "../../../definition/context";
import type { ExistingResource } from "../../../definition/results";
import { HttpError } from "../../../http/errors";
import { UserError } from "../../../text/user-error";
import { isLeaving } from "../../shared/not-found";
import type { Inputs } from "../inputs";
import { markerIn } from "../mapping";
import { recognise } from "./adoption";
import { untilGone } from "./requests";

/**
 * Returns what an interrupted run of this resource left under the wanted name; undefined when the name is free.
 * @throws OwnershipError when somebody else has the name. @throws UserError when the server does not list everything.
 */
export async function findExisting(wanted: Inputs, ctx: Context): Promise<ExistingResource | undefined> {
  const taken = await ctx.clients.deploymentCache.byName(wanted.name).catch((error: unknown) => {
    if (!(error instanceof IncompleteListError)) throw error;
    throw new UserError(
      `${error.message}\nCould not determine whether the name "${wanted.name}" is taken. Nothing was created.`,
    );
  });
  if (!taken) {
    await warnOfLeftovers(ctx);
    return undefined;
  }
  if (isLeaving(taken))
    return untilGone(taken.id, ctx, `the old deployment ${taken.id} to free the name "${wanted.name}"`);
  return recognise(taken, wanted, ctx);
}

/** A create that was killed before the name changed left a deployment that no state refers to. */
async function warnOfLeftovers(ctx: Context): Promise<void> {
  const carriesMarker = (deployment: Deployment) => markerIn(deployment) === ctx.marker && !isLeaving(deployment);
  for (const { id } of await ctx.clients.deploymentCache.recentlyListed(carriesMarker)) {
    // The list may be older than a delete by this run.
    const now = ctx.clients.deploymentCache.undeletable.has(id)
      ? undefined
      : await ctx.clients.deploymentCache.byId(id).catch(ignoreRequestError);
    if (!now || !carriesMarker(now)) continue;
    ctx.log.warn(
      `Deployment ${id} ("${now.name}") has the ownership marker of this resource and another name. An interrupted run created it, or a replacement kept it, and no state refers to it.\n` +
        `To delete it:  DELETE ${ctx.settings.controlPlaneUrl?.origin}/v2/deployments/${id}\nTo keep it, declare it as another resource with  import: "${id}"`,
    );
  }
}

/** A warning is not worth a failure. */
function ignoreRequestError(error: unknown): undefined {
  if (!(error instanceof HttpError)) throw error;
}
