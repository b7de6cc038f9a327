import { posix } from "node:path";
import type { LogLine } from "../logs/logs";
import type { DeploymentRecord, RevisionRecord } from "../model/records";
import { installCommands } from "./read-source";

/** Returns the build log of a revision. */
export function buildingLines(deployment: DeploymentRecord, revision: RevisionRecord, origin: string): LogLine[] {
  const { agentgraph_config_path: path, repo_commit_sha: commit } = revision.source_revision_config;
  const source = revision.plan.source;
  return [
    `Step 2/6: fetching ${origin}`,
    `Fetched ${commit ? `commit ${commit}` : origin}`,
    `Step 3/6: reading the graph configuration ${path ?? ""}`.trimEnd(),
    `Graph configuration ${path ?? ""} is valid${source ? `: graphs ${source.graphs.join(", ")}` : ""}`,
    ...installLines(deployment, revision),
    "Dependencies resolved",
    ...imageLines(deployment, revision),
    "Layer cache: 7 of 9 layers reused",
  ];
}

/**
 * API `2A.SourceConfig.install_command`: from the repository root, auto-detected from package-manager files when
 * absent; JS only.
 */
function installLines({ source_config }: DeploymentRecord, { plan: { source } }: RevisionRecord): LogLine[] {
  const step = "Step 4/6: installing dependencies";
  const { install_command: command } = source_config;
  if (source?.javascript === false)
    return [`${step} of a Python application`, ...ignoredCommandLines("install_command", command)];
  if (command) return [`${step} in / with: ${command}`];
  if (!source) return [`${step} in / by the package-manager files`];
  const { installFile } = source;
  if (installFile === null) return [`${step}: no package-manager file in /, nothing to install`];
  return [`${step} in / with: ${installCommands[installFile]} (found ${installFile})`];
}

/** API `2A.SourceConfig.build_command`: from the directory holding the graph configuration file; JS only. */
function imageLines({ source_config }: DeploymentRecord, { plan, source_revision_config }: RevisionRecord): LogLine[] {
  const step = "Step 5/6: building the image";
  const { build_command: command } = source_config;
  if (plan.source?.javascript === false) return [step, ...ignoredCommandLines("build_command", command)];
  if (!command) return [step];
  const folder = posix.resolve("/", posix.dirname(source_revision_config.agentgraph_config_path ?? "."));
  return [`${step} in ${folder} with: ${command}`];
}

function ignoredCommandLines(field: string, command: string | null | undefined): LogLine[] {
  if (!command) return [];
  return [
    {
      level: "WARNING",
      message: `${field} is ignored because the deployment has no package.json; it applies to JavaScript only`,
    },
  ];
}
