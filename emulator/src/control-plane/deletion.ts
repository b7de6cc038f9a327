import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { durations } from "../runtime/limits";
import { deleteProject } from "../tracing/projects";
import { isDeleting, requireDeployment } from "./lookup";
import { reserveName } from "./model/names";
import { type DeploymentRecord, deploymentById, updateDeployment } from "./model/records";
import { stopRollouts } from "./rollout/rollout";
import { deleteOrphanedTarballs } from "./sources/uploads";

/** DELETE /v2/deployments/{deployment_id}: asynchronous; the name stays taken until the deletion is complete. */
export function deleteDeployment(
  context: Context,
  request: ApiRequest<{ force?: boolean; delete_tracing_project?: boolean }>,
): ApiResponse {
  const { force = false, delete_tracing_project = false } = request.query;
  const deployment = requireDeployment(context, request);
  if (force) forceDeletion(context, deployment);
  else beginDeletion(context, deployment);
  if (delete_tracing_project && deployment.agent === null) deleteProject(context, deployment);
  return { status: 204 };
}

/** API `4A.DELETE:force`: ends a deletion at once; the name stays reserved. @throws ApiError 400 before a deletion. */
function forceDeletion(context: Context, deployment: DeploymentRecord): void {
  const { id, tenant_id, name } = deployment;
  if (!isDeleting(deployment))
    throw new ApiError(400, `Deployment ${id} is not being deleted: delete it without force`);
  const [grace, cleanUp] = durations.deletion[context.settings.platform];
  reserveName(context, { tenantId: tenant_id, name, until: context.clock.now() + grace + cleanUp });
  purgeDeployment(context, id);
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
  const [grace] = durations.deletion[context.settings.platform];
  context.scheduler.schedule(grace, { kind: "deployment-delete", subject: id, owner: id });
}

/** Registers the job handlers of deletions. */
export function registerDeletionJobs(context: Context): void {
  const { scheduler, store, settings } = context;
  scheduler.registerHandler("deployment-delete", (job) => {
    const deployment = deploymentById(store, job.owner);
    if (!deployment) return;
    // The interface does not list AWAITING_FINAL_DELETE, so only a tolerant server shows it.
    const hasFinalStatus = settings.platform === "today" || !(settings.strict || settings.interfaceOnly);
    if (deployment.status === "AWAITING_DELETE" && hasFinalStatus) {
      updateDeployment(context, deployment.id, { status: "AWAITING_FINAL_DELETE" });
      scheduler.schedule(durations.deletion[settings.platform][1], job);
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
