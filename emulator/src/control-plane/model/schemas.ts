import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";
import { resourceSpec } from "./resource-spec";

/** API `2A`, field by field, in neutral terms. */
export const sources = [
  "githost",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;
export type Source = (typeof sources)[number];

const deploymentTypes = ["dev_free", "dev", "prod", "dev_zero"] as const;

const text = v.nullable(v.string());

const listenerConfig = v.object("ListenerConfig", { k8s_namespace: text });

export const sourceConfig = v.object("SourceConfig", {
  integration_id: v.nullable(v.uuid()),
  repo_url: text,
  deployment_type: v.nullable(v.enumOf(deploymentTypes)),
  build_on_push: v.nullable(v.boolean()),
  custom_url: text,
  resource_spec: v.nullable(resourceSpec),
  listener_id: v.nullable(v.uuid()),
  listener_config: v.nullable(listenerConfig),
  install_command: text,
  build_command: text,
});

/**
 * What the platform of today has instead (API `2A.SourceConfig.deployment_type:sources`, `template_id`, `repo_branch`).
 */
export const newerSourceConfig = v.object("SourceConfig", {
  ...sourceConfig.fields,
  deployment_type: text,
  template_id: text,
  repo_branch: v.readOnly(text),
});
export type SourceConfig = v.Infer<typeof newerSourceConfig>;

export const sourceRevisionConfig = v.object("SourceRevisionConfig", {
  repo_ref: text,
  agentgraph_config_path: text,
  image_uri: text,
  source_tarball_path: text,
  repo_commit_sha: v.readOnly(text),
});
export type SourceRevisionConfig = v.Infer<typeof sourceRevisionConfig>;

export const secret = v.object("Secret", {
  name: v.required(v.string({ minLength: 1 })),
  value: v.required(v.string()),
});
export type Secret = v.Infer<typeof secret>;

export const secretReference = v.object("SecretReference", {
  name: v.required(v.string({ minLength: 1 })),
  secret_name: v.required(v.string({ minLength: 1 })),
  secret_key: v.required(v.string({ minLength: 1 })),
});
export type SecretReference = v.Infer<typeof secretReference>;

/** The agent that a deployment runs, in place of a name (API `2A.Deployment.agent`). */
const agentBinding = v.object("AgentBinding", {
  agent_id: v.required(v.string({ minLength: 1 })),
  environment: v.required(v.enumOf(["development", "staging", "production"])),
});
export type AgentBinding = v.Infer<typeof agentBinding>;

/** Fields of the platform of today that its responses return as they were sent (API `2A.Deployment.further`). */
export const extraFields = {
  tracked_packages: v.nullable(v.list(v.string())),
  shareable: v.nullable(v.boolean()),
  route_through_gateway: v.nullable(v.boolean()),
} as const;

const deploymentStatuses = ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"] as const;

/** API `3.Revision status`. */
export const revisionStatuses = [
  ...["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"],
  ...["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "UNKNOWN"],
] as const;

export const deployment = v.object("Deployment", {
  name: v.required(v.string()),
  source: v.required(v.enumOf(sources)),
  source_config: v.required(sourceConfig),
  source_revision_config: v.required(sourceRevisionConfig),
  secrets: v.required(v.list(secret)),
  secret_references: v.nullable(v.list(secretReference)),
  id: v.required(v.readOnly(v.uuid())),
  tenant_id: v.required(v.readOnly(v.uuid())),
  created_at: v.required(v.readOnly(v.datetime())),
  updated_at: v.required(v.readOnly(v.datetime())),
  status: v.required(v.readOnly(v.enumOf(deploymentStatuses))),
  latest_revision_id: v.required(v.readOnly(v.nullable(v.uuid()))),
  active_revision_id: v.required(v.readOnly(v.nullable(v.uuid()))),
  image_version: text,
  is_managed_deep_agent: v.readOnly(v.withDefault(v.boolean(), false)),
});

export const deploymentsList = v.object("DeploymentsList", {
  resources: v.required(v.list(deployment)),
  offset: v.required(v.integer()),
});

/** A deployment of the platform of today (API `2A.Deployment.further`). */
export const newerDeployment = v.object("Deployment", {
  ...deployment.fields,
  name: v.required(text),
  display_name: text,
  agent: v.nullable(agentBinding),
  url: text,
  tracer_session_id: v.nullable(v.uuid()),
  source_config: v.required(newerSourceConfig),
  source_revision_config: v.required(v.nullable(sourceRevisionConfig)),
  status: v.required(v.readOnly(v.enumOf([...deploymentStatuses, "AWAITING_FINAL_DELETE"]))),
  ...extraFields,
  is_preview: v.boolean(),
  remote_reconciled: v.boolean(),
  created_by: text,
});
export const newerDeploymentsList = v.object("DeploymentsList", {
  resources: v.required(v.list(newerDeployment)),
  offset: v.required(v.integer()),
});

export const revision = v.object("Revision", {
  id: v.required(v.uuid()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
  status: v.required(v.enumOf(revisionStatuses)),
  source: v.required(v.enumOf(sources)),
  source_revision_config: v.required(sourceRevisionConfig),
});

/** The fields of a revision in the interface (API `2A.Revision`). */
export const smallRevision = v.object("Revision", {
  id: v.required(v.uuid()),
  status: v.required(v.string()),
  source_revision_config: v.required(sourceRevisionConfig),
});

/** A revision of the platform of today (API `2A.Revision.status_message`). */
export const newerRevision = v.object("Revision", { ...revision.fields, status_message: text });

export const revisionsList = <const S extends v.Schema>(item: S) =>
  v.object("RevisionsList", { resources: v.required(v.list(item)), offset: v.required(v.integer()) });

/** The body of POST /v2/deployments. */
export function createBody(rules: { checksName: boolean; tolerant: boolean }) {
  return v.object("DeploymentCreate", {
    // Only real servers enforce the pattern (API `2A.Deployment.name:form`).
    name: v.required(v.string(rules.checksName ? { minLength: 1, pattern: "^[a-z][a-z0-9-]*$" } : { minLength: 1 })),
    source: v.required(v.enumOf(sources)),
    source_config: v.required(sourceConfig),
    // Published clients omit it when they create an internal_* deployment.
    source_revision_config: rules.tolerant ? v.nullable(sourceRevisionConfig) : v.required(sourceRevisionConfig),
    secrets: v.required(v.list(secret)),
    secret_references: v.nullable(v.list(secretReference)),
    image_version: text,
  });
}

/** The same for the platform of today, in which an agent may take the place of the name. */
export const newerCreateBody = v.object("DeploymentCreate", {
  ...createBody({ checksName: true, tolerant: true }).fields,
  name: v.nullable(v.string({ minLength: 1, pattern: "^[a-z][a-z0-9-]*$" })),
  agent: v.nullable(agentBinding),
  display_name: text,
  source_config: v.required(newerSourceConfig),
  secrets: v.nullable(v.list(secret)),
  ...extraFields,
});
export type CreateBody = v.Infer<typeof newerCreateBody>;

/**
 * The body of PATCH /v2/deployments/{deployment_id}. It includes name and source only to report that they cannot
 * change.
 */
export const patchBody = v.object("DeploymentPatch", {
  name: text,
  source: v.nullable(v.enumOf(sources)),
  source_config: v.nullable(sourceConfig),
  source_revision_config: v.nullable(sourceRevisionConfig),
  secrets: v.nullable(v.list(secret)),
  secret_references: v.nullable(v.list(secretReference)),
  image_version: text,
});

/** The same for the platform of today. */
export const newerPatchBody = v.object("DeploymentPatch", {
  ...patchBody.fields,
  display_name: v.nullable(v.string({ minLength: 1 })),
  revision_source: v.nullable(v.enumOf(sources)),
  source_config: v.nullable(newerSourceConfig),
  ...extraFields,
});
export type PatchBody = v.Infer<typeof newerPatchBody>;

/** The body of POST /v2/deployments/{deployment_id}/revisions. */
export const revisionBody = v.object("RevisionCreate", {
  source_revision_config: v.required(sourceRevisionConfig),
  source_config: v.nullable(
    v.object("RevisionSourceConfig", {
      install_command: text,
      build_command: text,
      resource_spec: v.nullable(resourceSpec),
    }),
  ),
  secrets: v.nullable(v.list(secret)),
  secret_references: v.nullable(v.list(secretReference)),
});
export type RevisionBody = v.Infer<typeof revisionBody>;

const { list: page } = limits;
const offset = v.withDefault(v.integer({ minimum: page.minOffset }), page.defaultOffset);

/** API `4A.GET /v2/deployments`. */
export const listQuery = {
  limit: v.withDefault(v.integer({ minimum: page.minLimit, maximum: page.maxLimit }), page.defaultLimit),
  offset,
  name_contains: v.string(),
  status: v.string(),
  remote_reconciled: v.boolean(),
  tag_value_ids: v.string(),
  image_version: v.string(),
  deployment_type: v.enumOf(deploymentTypes),
  deployment_ids: v.string(),
} as const;
/** Newer servers also support an exact name (API `4A.GET /v2/deployments.name`). */
export const newerListQuery = { ...listQuery, name: v.string() } as const;
/** The platform of today filters by agent as well (API `4A.GET /v2/deployments.agent_id`). */
export const todaysListQuery = {
  ...newerListQuery,
  deployment_type: v.string(),
  agent_id: v.string(),
  agent_environment: v.string(),
} as const;
export type ListFilter = v.InferFields<typeof todaysListQuery>;

export const revisionsQuery = { limit: listQuery.limit, offset, status: v.string() } as const;
export type RevisionFilter = v.InferFields<typeof revisionsQuery>;
