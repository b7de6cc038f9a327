import type { ApiRequest } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { type DeploymentRecord, deploymentById, type RevisionRecord, revisionById } from "./model/records";

/** Returns the deployment of the request path. @throws ApiError 404 if it is not in this workspace. */
export function requireDeployment(
  { store }: Context,
  request: Pick<ApiRequest, "params" | "tenantId">,
): DeploymentRecord {
  const id = request.params.deployment_id ?? "";
  const deployment = deploymentById(store, id);
  if (deployment?.tenant_id === request.tenantId) return deployment;
  throw new ApiError(404, `Deployment ${id} not found`);
}

/** Returns the deployment of the request path. @throws ApiError 404, or 409 if it is being deleted. */
export function requireUndeletedDeployment(
  context: Context,
  request: Pick<ApiRequest, "params" | "tenantId">,
): DeploymentRecord {
  const deployment = requireDeployment(context, request);
  if (!isDeleting(deployment)) return deployment;
  throw new ApiError(409, `Deployment ${deployment.id} is being deleted`);
}

/** Returns the revision of the request path with its deployment. @throws ApiError 404 */
export function requireRevision(
  context: Context,
  request: Pick<ApiRequest, "params" | "tenantId">,
): { deployment: DeploymentRecord; revision: RevisionRecord } {
  const deployment = requireDeployment(context, request);
  const id = request.params.revision_id ?? "";
  const revision = revisionById(context.store, id);
  if (revision?.deployment_id === deployment.id) return { deployment, revision };
  throw new ApiError(404, `Revision ${id} not found`);
}

export function isDeleting(deployment: DeploymentRecord): boolean {
  return deployment.status === "AWAITING_DELETE" || deployment.status === "AWAITING_FINAL_DELETE";
}
