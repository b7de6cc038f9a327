import { buildingLines } from "../build/log";
import type { LogLine, LogType } from "../logs/logs";
import type { DeploymentRecord, RevisionRecord } from "../model/records";

/** Returns the log lines of a revision that enters a status. */
export function logLinesFor(
  deployment: DeploymentRecord,
  revision: RevisionRecord,
  secretCount: number,
): [LogType, LogLine[]][] {
  const { name } = deployment;
  const { image_uri, repo_ref, repo_commit_sha: commit, source_tarball_path } = revision.source_revision_config;
  const { repo_url } = deployment.source_config;
  const origin = source_tarball_path ?? `${repo_url ?? "repository"} at ${repo_ref ?? "its default branch"}`;
  const target = image_uri ?? source_tarball_path ?? repo_ref ?? "the prebuilt template";
  switch (revision.status) {
    case "AWAITING_BUILD":
      return [["build", [`Step 1/6: queued the build of ${name} from ${origin}`, `Revision ${revision.id}`]]];
    case "BUILDING":
      return [["build", cutAtFailure(revision, buildingLines(deployment, revision, origin))]];
    case "AWAITING_DEPLOY":
      return [
        ...(commit || source_tarball_path
          ? ([["build", [`Step 6/6: pushing the image built from ${origin}`, "Build finished"]]] satisfies [
              LogType,
              LogLine[],
            ][])
          : []),
        ["deploy", [`Step 1/5: queued the rollout of ${name} with ${target}`, `Revision ${revision.id}`]],
      ];
    case "DEPLOYING":
      return [["deploy", cutAtFailure(revision, deployingLines(deployment, target, secretCount))]];
    case "DEPLOYED":
      return [["deploy", ["Step 5/5: all replicas are ready", `Deployed ${target}`]]];
    default:
      return [];
  }
}

/** Cuts the log of a revision that will fail after the step that fails. */
function cutAtFailure({ plan: { stopsAt } }: RevisionRecord, lines: LogLine[]): LogLine[] {
  const last = lines.findIndex((line) => stopsAt !== undefined && typeof line === "string" && line.startsWith(stopsAt));
  return last < 0 ? lines : lines.slice(0, last + 1);
}

function deployingLines({ source_config }: DeploymentRecord, target: string, secretCount: number): LogLine[] {
  const { resource_spec: spec, listener_config } = source_config;
  return [
    `Step 2/5: pulling ${target}`,
    `Pulled ${target}`,
    "Step 3/5: applying the " +
      `workload${listener_config?.k8s_namespace ? ` to namespace ${listener_config.k8s_namespace}` : ""}`,
    `Replicas: ${spec?.min_scale ?? 1} to ${spec?.max_scale ?? spec?.min_scale ?? 1}`,
    `Environment: ${secretCount} secrets set`,
    "Database migrations are up to date",
    "Step 4/5: starting replicas",
    "Waiting for the health check",
  ];
}
