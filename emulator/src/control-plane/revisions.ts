import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { applyUpdate, getDeployment } from "./deployments";
import { requireDeployment, requireRevision, requireUndeletedDeployment } from "./lookup";
import { revisionsOf, updateDeployment } from "./model/records";
import type { RevisionBody, RevisionFilter } from "./model/schemas";
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

/** POST /v2/deployments/{deployment_id}/revisions: always creates a revision. */
export function createRevision(context: Context, request: ApiRequest): ApiResponse {
  const deployment = requireUndeletedDeployment(context, request);
  const { updated, config } = applyUpdate(context, request, deployment, request.body as RevisionBody);
  const revision = startRevision(context, updated, config);
  return { status: 201, body: revisionResponse(context, revision, deployment.source) };
}

/** POST .../redeploy: creates a revision with the same configuration and returns the deployment. */
export function redeployRevision(context: Context, request: ApiRequest): ApiResponse {
  const deployment = requireUndeletedDeployment(context, request);
  const { revision } = requireRevision(context, request);
  // API `4A.redeploy:environment`: the revision's own environment returns with it.
  const restored = context.settings.platform === "today" ? { secrets: revision.secrets } : {};
  if (restored.secrets !== undefined) updateDeployment(context, deployment.id, restored);
  startRevision(context, { ...deployment, ...restored }, revision.source_revision_config);
  return getDeployment(context, request);
}

/** POST .../interrupt: ends a revision so that the queue can continue. */
export function interrupt(context: Context, request: ApiRequest): ApiResponse {
  const { revision } = requireRevision(context, request);
  if (!interruptRevision(context, revision)) {
    throw new ApiError(409, `Revision ${revision.id} has ended as ${revision.status} and cannot be interrupted`);
  }
  return getRevision(context, request);
}
