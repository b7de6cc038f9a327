import type { Context } from "../runtime/context";
import { type DeploymentRecord, latestRevisionConfig, type RevisionRecord } from "./model/records";
import type { Source } from "./model/schemas";
import { deployment as deploymentSchema, sourceConfig, sourceRevisionConfig } from "./model/schemas";
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
  return {
    ...pick(deploymentSchema.fields, deployment),
    secrets: openSecrets(context, deployment.id, deployment.secrets),
    source_config: { ...pick(sourceConfig.fields, config), custom_url: config.custom_url ?? defaultUrl },
    source_revision_config: pick(sourceRevisionConfig.fields, latestRevisionConfig(context.store, deployment)),
  };
}

/** Returns a revision as real servers show it; the interface itself has only three of the fields. */
export function revisionResponse(
  { settings }: Context,
  revision: RevisionRecord,
  source: Source,
): Record<string, unknown> {
  const { id, created_at, updated_at, status } = revision;
  const source_revision_config = pick(sourceRevisionConfig.fields, revision.source_revision_config);
  if (settings.interfaceOnly) return { id, status, source_revision_config };
  return { id, created_at, updated_at, status, source, source_revision_config };
}

/** Returns the named fields, null where unset. */
function pick(fields: object, record: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(record, name) ?? null]));
}
