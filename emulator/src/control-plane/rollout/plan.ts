import type { Context } from "../../runtime/context";
import type { RevisionFault } from "../../runtime/faults";
import { type ExpectedFailure, prepareBuild } from "../build/prepare";
import { type DeploymentRecord, type RolloutPlan, requiresBuild } from "../model/records";
import type { SourceRevisionConfig } from "../model/schemas";
import { findMissingPrerequisite } from "./cluster";

/**
 * Returns the statuses of a new revision, which depend on its source, on missing prerequisites and on injected faults.
 */
export function planRollout(
  context: Context,
  deployment: DeploymentRecord,
  config: SourceRevisionConfig,
  fault: RevisionFault | undefined,
): RolloutPlan {
  const logs = (fault?.logs ?? []).map((line) => (typeof line === "string" ? { level: "ERROR", message: line } : line));
  if (fault?.statuses) return { steps: fault.statuses, logs };
  const build = requiresBuild(deployment) ? prepareBuild(context, deployment, config) : undefined;
  const statuses = ["QUEUED", ...(build ? ["AWAITING_BUILD", "BUILDING"] : []), "AWAITING_DEPLOY", "DEPLOYING"];
  const source = build?.facts && { source: build.facts };
  const flaw = build?.failure ?? findDeployFailure(context, deployment, config);
  if (fault?.ends === undefined && flaw) {
    const finalStatus = build?.failure ? "BUILD_FAILED" : "DEPLOY_FAILED";
    const { stopsAt, message } = flaw;
    return {
      steps: [...statusesBefore(statuses, finalStatus), finalStatus],
      logs: [{ level: "ERROR", message }],
      stopsAt,
      ...source,
    };
  }
  const finalStatus = fault?.ends ?? "DEPLOYED";
  if (logs.length === 0 && finalStatus.endsWith("_FAILED")) {
    logs.push({ level: "ERROR", message: `${finalStatus} (injected fault)` });
  }
  return { steps: [...statusesBefore(statuses, finalStatus), finalStatus], logs, ...source };
}

/** Returns the statuses before the final status. */
function statusesBefore(statuses: string[], finalStatus: string): string[] {
  if (finalStatus === "CREATE_FAILED") return [];
  if (finalStatus === "SKIPPED") return ["QUEUED"];
  if (finalStatus === "BUILD_FAILED") return statuses.slice(0, statuses.indexOf("AWAITING_DEPLOY"));
  return statuses;
}

/** Returns why a deployment will fail: no image, which the interface allows, or a missing object in the cluster. */
function findDeployFailure(
  context: Context,
  deployment: DeploymentRecord,
  config: SourceRevisionConfig,
): ExpectedFailure | undefined {
  const { source } = deployment;
  if ((source === "external_docker" || source === "internal_docker") && !config.image_uri) {
    return { stopsAt: "Step 2/5", message: "No image to run: source_revision_config.image_uri is not set" };
  }
  const message = source === "external_docker" ? findMissingPrerequisite(context, deployment) : undefined;
  return message === undefined ? undefined : { stopsAt: "Step 3/5", message };
}
