import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { durations } from "../runtime/limits";
import { isDeleting, requireDeployment } from "./lookup";
import { type DeploymentRecord, deploymentById, updateDeployment } from "./model/records";
import { stopRollouts } from "./rollout/rollout";
import { deleteOrphanedTarballs } from "./sources/uploads";

/** DELETE /v2/deployments/{deployment_id}: asynchronous; the name stays taken until the deletion is complete. */
export function deleteDeployment(context: Context, request: ApiRequest): ApiResponse {
  beginDeletion(context, requireDeployment(context, request));
  return { status: 204 };
}

/** DELETE /v2/deployments?deployment_ids=…: 200, 207 if some do not exist, 404 if none exists. */
export function deleteDeployments(context: Context, request: ApiRequest<{ deployment_ids: string[] }>): ApiResponse {
  const ids = [...new Set(request.query.deployment_ids)];
  const deployments = ids.flatMap((id) => {
    const deployment = deploymentById(context.store, id);
    return deployment?.tenant_id === request.tenantId ? [deployment] : [];
  });
  for (const deployment of deployments) beginDeletion(context, deployment);
  const deleted = deployments.map(({ id }) => id);
  const missing = ids.filter((id) => !deleted.includes(id));
  const failed = missing.map((id) => ({ id, detail: `Deployment ${id} not found` }));
  if (deleted.length === 0 && failed[0]) throw new ApiError(404, failed[0].detail);
  return { status: failed.length > 0 ? 207 : 200, body: { deleted, failed } };
}

function beginDeletion(context: Context, deployment: DeploymentRecord): void {
  if (isDeleting(deployment)) return;
  const { id } = deployment;
  stopRollouts(context, deployment);
  updateDeployment(context, id, { status: "AWAITING_DELETE" });
  context.scheduler.schedule(durations.deletion, { kind: "deployment-delete", subject: id, owner: id });
}

/** Registers the job handlers of deletions. */
export function registerDeletionJobs(context: Context): void {
  const { scheduler, store, settings } = context;
  scheduler.registerHandler("deployment-delete", (job) => {
    const deployment = deploymentById(store, job.owner);
    if (!deployment) return;
    // The interface does not list AWAITING_FINAL_DELETE, so only a tolerant server shows it.
    if (deployment.status === "AWAITING_DELETE" && !settings.strict && !settings.interfaceOnly) {
      updateDeployment(context, deployment.id, { status: "AWAITING_FINAL_DELETE" });
      scheduler.schedule(durations.deletion, job);
    } else purgeDeployment(context, deployment.id);
  });
}

/** Deletes a deployment and everything it owns except its tracing project. */
export function purgeDeployment(context: Context, id: string): void {
  const { store, scheduler, events } = context;
  scheduler.cancelByOwner(id);
  for (const table of ["logs", "revision_statuses", "revisions", "tarballs"])
    store.run(`DELETE FROM ${table} WHERE deployment_id = ?`, id);
  events.emit("deploymentDeleted", id);
  store.run("DELETE FROM deployments WHERE id = ?", id);
  deleteOrphanedTarballs(context);
  events.emit("rolloutsChanged");
}
