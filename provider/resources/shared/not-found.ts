/** When a deployment counts as gone, for itself and for what lives in it. */
import type { Deployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { WrongServerError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";

/** Being deleted: it serves no more, and its name comes free when it is gone. */
export const isDeleting = ({ status }: Pick<Deployment, "status">): boolean =>
  status === "AWAITING_DELETE" || status === "AWAITING_FINAL_DELETE";

/**
 * Gone means: the workspace answered, and the object was not in it. A key of another workspace gets a 404 too, and so
 * does everybody while an ingress knows no service: then this list fails as well.
 * @throws WrongServerError when the key opens another workspace than that of state.
 */
export async function assertDeleted(id: string, tenantId: string | undefined, ctx: Context): Promise<undefined> {
  const newestDeployment = await ctx.clients.controlPlane.newestDeployment();
  if (!tenantId || ctx.settings.tenantId || ctx.settings.allowServerChange) return;
  const currentTenantId = newestDeployment?.tenantId;
  if (currentTenantId === tenantId) return;
  const mismatch = currentTenantId
    ? `the key opens workspace ${currentTenantId}`
    : await findInWorkspace(id, tenantId, ctx);
  if (mismatch) throw new WrongServerError(`in workspace ${tenantId}`, mismatch);
}

/** An empty list does not say whose it is, so the deployment is looked for where state says that it is. */
async function findInWorkspace(id: string, tenantId: string, ctx: Context): Promise<string | undefined> {
  try {
    await ctx.clients.controlPlane.getDeployment(id, tenantId);
    return "the key opens an empty one unless agentgraph:tenantId names the workspace, and there the deployment still is";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isNotFound) return undefined;
    if (error.isUnauthorized) return `the key opens an empty one and not that one (${error.status}: ${error.detail})`;
    throw error;
  }
}
