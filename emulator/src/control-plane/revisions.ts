import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { deploymentResponseById, updateByRevision } from "./deployments";
import { isDeleting, requireDeployment, requireRevision } from "./lookup";
import { revisionById, revisionsOf } from "./model/records";
import type { RevisionFilter } from "./model/schemas";
import { revisionResponse } from "./responses";
import { interruptRevision, startRevision } from "./rollout/rollout";

/** GET /v2/deployments/{deployment_id}/revisions: newest first. */
export function listRevisions(context: Context, request: ApiRequest<RevisionFilter>): ApiResponse {
  const deployment = requireDeployment(context, request);
  const { limit, offset, status } = request.query;
  const statuses = status?.split(",").map((word) => word.trim());
  const matches = revisionsOf(context.store, deployment.id).filter(
    (revision) => statuses?.includes(revision.status) ?? true,
  );
  const resources = matches
    .slice(offset, offset + limit)
    .map((revision) => revisionResponse(context, revision, deployment.source));
  return { status: 200, body: { resources, offset: offset + resources.length } };
}

/** GET /v2/deployments/{deployment_id}/revisions/{revision_id} */
export function getRevision(context: Context, request: ApiRequest): ApiResponse {
  const { deployment, revision } = requireRevision(context, request);
  return { status: 200, body: revisionResponse(context, revision, deployment.source) };
}

/** POST /v2/deployments/{deployment_id}/revisions */
export function createRevision(context: Context, request: ApiRequest): ApiResponse {
  const id = updateByRevision(context, request);
  return getRevisionAs(context, { ...request, params: { ...request.params, revision_id: id ?? "" } }, 201);
}

/** POST .../redeploy: creates a revision with the same configuration and returns the deployment. */
export function redeployRevision(context: Context, request: ApiRequest): ApiResponse {
  const { deployment, revision } = requireRevision(context, request);
  if (isDeleting(deployment)) throw new ApiError(409, `Deployment ${deployment.id} is being deleted`);
  startRevision(context, deployment, revision.source_revision_config);
  return { status: 200, body: deploymentResponseById(context, request, deployment.id) };
}

/** POST .../interrupt: ends a revision so that the queue can continue. */
export function interrupt(context: Context, request: ApiRequest): ApiResponse {
  const { revision } = requireRevision(context, request);
  if (!interruptRevision(context, revision)) {
    throw new ApiError(409, `Revision ${revision.id} has ended as ${revision.status} and cannot be interrupted`);
  }
  return getRevisionAs(context, request, 200);
}

function getRevisionAs(context: Context, request: ApiRequest, status: number): ApiResponse {
  const { deployment, revision } = requireRevision(context, request);
  return {
    status,
    body: revisionResponse(context, revisionById(context.store, revision.id) ?? revision, deployment.source),
  };
}
