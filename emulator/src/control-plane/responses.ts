import type { Context } from "../runtime/context";
import { projectByName } from "../tracing/projects";
import { lastError } from "./logs/logs";
import { type DeploymentRecord, latestRevisionConfig, type RevisionRecord } from "./model/records";
import type { Source, SourceRevisionConfig } from "./model/schemas";
import {
  deployment as deploymentSchema,
  extraFields,
  newerSourceConfig,
  sourceConfig,
  sourceRevisionConfig,
} from "./model/schemas";
import { openSecrets } from "./model/secrets";

/** Returns a deployment as the interface shows it, with every field. */
export function deploymentResponse(
  context: Context,
  deployment: DeploymentRecord,
  origin: string,
): Record<string, unknown> {
  const config = deployment.source_config;
  // The agent's own URL is null until the first revision is live (API `2A.SourceConfig.custom_url:agent`).
  const defaultUrl = deployment.active_revision_id ? `${origin}/agents/${deployment.id}` : null;
  const described = {
    ...pick(deploymentSchema.fields, deployment),
    secrets: openSecrets(context, deployment.id, deployment.secrets),
    source_config: { ...pick(sourceConfig.fields, config), custom_url: config.custom_url ?? defaultUrl },
    source_revision_config: pick(sourceRevisionConfig.fields, latestRevisionConfig(context.store, deployment)),
  };
  return context.settings.platform === "today"
    ? { ...described, ...todaysFields(context, deployment, defaultUrl) }
    : described;
}

/** Returns the fields of a deployment that the platform of today shows, or shows otherwise. */
function todaysFields(context: Context, deployment: DeploymentRecord, url: string | null): Record<string, unknown> {
  const { source, source_config: config, agent, name, display_name, tenant_id } = deployment;
  const latest = latestRevisionConfig(context.store, deployment);
  // API `2A.Deployment.secrets:hidden`: sources without a first revision.
  const isHidden = deployment.latest_revision_id === null && source.startsWith("internal_");
  const isExternal = source === "external_docker";
  return {
    ...pick(extraFields, deployment.extra ?? {}),
    ...{ name: agent === null ? name : null, agent, display_name, url: config.custom_url ?? url },
    ...{ is_preview: false, remote_reconciled: deployment.remote_reconciled, created_by: null },
    tracer_session_id: projectByName(context.store, tenant_id, name)?.id ?? null,
    ...(isHidden && { secrets: [] }),
    source_config: {
      ...pick(newerSourceConfig.fields, config),
      // API `2A.SourceConfig.custom_url:image`.
      custom_url: config.custom_url ?? (isExternal ? null : url),
      ...(isExternal && { build_on_push: false }),
      repo_branch: source === "githost" ? (latest.repo_ref ?? null) : null,
    },
    source_revision_config: isHidden ? null : revisionConfig(context.settings, latest, source),
  };
}

/** Returns what a revision runs. API `2A.SourceRevisionConfig.repo_ref:commit`. */
function revisionConfig({ platform }: Context["settings"], config: SourceRevisionConfig, source: Source) {
  const isResolved = platform === "today" && source === "githost";
  return {
    ...pick(sourceRevisionConfig.fields, config),
    ...(isResolved && { repo_ref: config.repo_commit_sha ?? config.repo_ref ?? null }),
  };
}

/** Returns a revision as real servers show it; the interface itself has only three of the fields. */
export function revisionResponse(
  { settings, store }: Context,
  revision: RevisionRecord,
  source: Source,
): Record<string, unknown> {
  const { id, created_at, updated_at, status } = revision;
  const source_revision_config = revisionConfig(settings, revision.source_revision_config, source);
  if (settings.interfaceOnly) return { id, status, source_revision_config };
  const described = { id, created_at, updated_at, status, source, source_revision_config };
  if (settings.platform === "described") return described;
  // API `2A.Revision.status_message`.
  const status_message = status.endsWith("_FAILED") ? lastError(store, id) : null;
  return { ...described, status_message };
}

/** Returns the named fields, null where unset. */
function pick(fields: object, record: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(record, name) ?? null]));
}
