import type { Context } from "../../runtime/context";
import type { RevisionFault } from "../../runtime/faults";
import { type Flaw, prepareBuild } from "../build/prepare";
import { type DeploymentRecord, isBuilt, type Plan } from "../model/records";
import type { SourceRevisionConfig } from "../model/schemas";
import { whatClusterLacks } from "./cluster";

/**
 * Returns the statuses of a new revision, which depend on its source, on missing prerequisites and on injected faults.
 */
export function planOf(
  context: Context,
  deployment: DeploymentRecord,
  config: SourceRevisionConfig,
  fault: RevisionFault | undefined,
): Plan {
  const logs = (fault?.logs ?? []).map((line) => (typeof line === "string" ? { level: "ERROR", message: line } : line));
  if (fault?.statuses) return { steps: fault.statuses, logs };
  const build = isBuilt(deployment) ? prepareBuild(context, deployment, config) : undefined;
  const way = ["QUEUED", ...(build ? ["AWAITING_BUILD", "BUILDING"] : []), "AWAITING_DEPLOY", "DEPLOYING"];
  const source = build?.facts && { source: build.facts };
  const flaw = build?.flaw ?? whatCannotRun(context, deployment, config);
  if (fault?.ends === undefined && flaw) {
    const end = build?.flaw ? "BUILD_FAILED" : "DEPLOY_FAILED";
    const { stopsAt, message } = flaw;
    return { steps: [...cut(way, end), end], logs: [{ level: "ERROR", message }], stopsAt, ...source };
  }
  const end = fault?.ends ?? "DEPLOYED";
  if (logs.length === 0 && end.endsWith("_FAILED")) {
    logs.push({ level: "ERROR", message: `${end} (injected fault)` });
  }
  return { steps: [...cut(way, end), end], logs, ...source };
}

/** Returns the statuses before the final status. */
function cut(way: string[], end: string): string[] {
  if (end === "CREATE_FAILED") return [];
  if (end === "SKIPPED") return ["QUEUED"];
  if (end === "BUILD_FAILED") return way.slice(0, way.indexOf("AWAITING_DEPLOY"));
  return way;
}

/** Returns why a deployment will fail: no image, which the interface allows, or a missing object in the cluster. */
function whatCannotRun(context: Context, deployment: DeploymentRecord, config: SourceRevisionConfig): Flaw | undefined {
  const { source } = deployment;
  if ((source === "external_docker" || source === "internal_docker") && !config.image_uri) {
    return { stopsAt: "Step 2/5", message: "No image to run: source_revision_config.image_uri is not set" };
  }
  const message = source === "external_docker" ? whatClusterLacks(context, deployment) : undefined;
  return message === undefined ? undefined : { stopsAt: "Step 3/5", message };
}
