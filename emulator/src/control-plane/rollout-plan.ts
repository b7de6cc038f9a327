import { createHash } from "node:crypto";
import type { Context } from "../context";
import type { RevisionFault } from "../faults";
import type { DeploymentRecord, Plan } from "./records";
import type { SourceRevisionConfig } from "./schemas";
import { isUploaded } from "./uploads";

/** Whether a deployment's revisions are built before they are deployed. */
export function isBuilt({ source }: DeploymentRecord): boolean {
  return source === "githost" || source === "internal_source";
}

/** The statuses a new revision will go through, by its source, what it lacks, and a fault if there is one. */
export function planOf(
  context: Context,
  deployment: DeploymentRecord,
  config: SourceRevisionConfig,
  fault: RevisionFault | undefined,
): Plan {
  const logs = (fault?.logs ?? []).map((line) => (typeof line === "string" ? { level: "ERROR", message: line } : line));
  if (fault?.statuses) return { steps: fault.statuses, logs };
  const building = isBuilt(deployment) ? ["AWAITING_BUILD", "BUILDING"] : [];
  const way = ["QUEUED", ...building, "AWAITING_DEPLOY", "DEPLOYING"];
  const missing = whatIsMissing(context, deployment, config);
  if (fault?.ends === undefined && missing) {
    const end = building.length > 0 ? "BUILD_FAILED" : "DEPLOY_FAILED";
    return { steps: [...cut(way, end), end], logs: [{ level: "ERROR", message: missing }] };
  }
  const end = fault?.ends ?? "DEPLOYED";
  if (logs.length === 0 && end.endsWith("_FAILED")) {
    logs.push({ level: "ERROR", message: `${end}, as a fault of the emulator asked` });
  }
  return { steps: [...cut(way, end), end], logs };
}

/** How far a revision gets that ends so. */
function cut(way: string[], end: string): string[] {
  if (end === "CREATE_FAILED") return [];
  if (end === "SKIPPED") return ["QUEUED"];
  if (end === "BUILD_FAILED") return way.slice(0, way.indexOf("AWAITING_DEPLOY"));
  return way;
}

/** Why a revision cannot succeed: the interface lets all of these be null. */
function whatIsMissing(
  context: Context,
  { source, source_config }: DeploymentRecord,
  config: SourceRevisionConfig,
): string | undefined {
  const { source_tarball_path: tarball, image_uri } = config;
  if (source === "githost" && !source_config.repo_url) return "Nothing to build: source_config.repo_url is not set";
  if (source === "internal_source" && tarball && !isUploaded(context, tarball)) return `Nothing is at ${tarball}`;
  if (source === "external_docker" && !image_uri) return "No image to run: source_revision_config.image_uri is not set";
  return undefined;
}

/** The commit that a reference points to: always the same one, as nothing is pushed. */
export function commitOf(
  { source, source_config }: DeploymentRecord,
  { repo_ref }: SourceRevisionConfig,
): string | null {
  if (source !== "githost") return null;
  return createHash("sha1").update(`${source_config.repo_url}#${repo_ref}`).digest("hex");
}
