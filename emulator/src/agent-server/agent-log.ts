import { writeLog } from "../control-plane/logs/logs";
import { deploymentById, revisionById } from "../control-plane/model/records";
import type { Context } from "../runtime/context";

/** Writes a failure of an agent server into the deploy log of its deployment. */
export function writeAgentLog(context: Context, deploymentId: string, message: string): void {
  const id = deploymentById(context.store, deploymentId)?.active_revision_id ?? "";
  const revision = revisionById(context.store, id);
  if (revision) writeLog(context, revision, "deploy", [{ level: "ERROR", message }]);
}
