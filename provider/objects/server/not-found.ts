/** When a deployment counts as deleted, for itself and for its threads. */
import type { Context } from "../../definition/context";
import { WrongServerError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";

/**
 * Verifies that a deployment that is gone was deleted: for an API key of another workspace it is gone as well.
 * @throws WrongServerError when the API key belongs to another workspace than the one in state.
 */
export async function assertDeleted(id: string, tenantId: string | undefined, ctx: Context): Promise<undefined> {
  if (!tenantId || ctx.settings.tenantId || ctx.settings.allowServerChange) return;
  const currentTenantId = (await ctx.clients.controlPlane.newestDeployment())?.tenantId;
  if (currentTenantId === tenantId) return;
  const mismatch = currentTenantId
    ? `the API key belongs to workspace ${currentTenantId}`
    : await findInWorkspace(id, tenantId, ctx);
  if (mismatch) throw new WrongServerError(`in workspace ${tenantId}`, mismatch);
}

/** Requests the deployment in the workspace of state, because an empty list does not identify its workspace. */
async function findInWorkspace(id: string, tenantId: string, ctx: Context): Promise<string | undefined> {
  try {
    await ctx.clients.controlPlane.getDeployment(id, tenantId);
    return "without agentgraph:tenantId the API key resolves to a different, empty workspace; the deployment still exists in the original one";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isNotFound) return undefined;
    if (error.isUnauthorized)
      return `the API key resolves to a different, empty workspace and has no access to that one (${error.status}: ${error.quote})`;
    throw error;
  }
}
