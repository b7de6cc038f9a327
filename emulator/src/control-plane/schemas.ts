import { limits } from "../limits";
import {
  boolean,
  byDefault,
  datetime,
  type Infer,
  type InferFields,
  integer,
  list,
  nullable,
  object,
  oneOf,
  readOnly,
  required,
  string,
  uuid,
} from "../validation/schema";
import { resourceSpec } from "./resource-spec";

/** interface.md section 2 A, field by field, in neutral words. */
export const sources = [
  "githost",
  "external_docker",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;
export type Source = (typeof sources)[number];

const deploymentTypes = ["dev_free", "dev", "prod", "dev_zero"] as const;

const text = nullable(string());

const listenerConfig = object("ListenerConfig", { k8s_namespace: text });

export const sourceConfig = object("SourceConfig", {
  integration_id: nullable(uuid()),
  repo_url: text,
  deployment_type: nullable(oneOf(deploymentTypes)),
  build_on_push: nullable(boolean()),
  custom_url: text,
  resource_spec: nullable(resourceSpec),
  listener_id: nullable(uuid()),
  listener_config: nullable(listenerConfig),
  install_command: text,
  build_command: text,
});
export type SourceConfig = Infer<typeof sourceConfig>;

export const sourceRevisionConfig = object("SourceRevisionConfig", {
  repo_ref: text,
  agentgraph_config_path: text,
  image_uri: text,
  source_tarball_path: text,
  repo_commit_sha: readOnly(text),
});
export type SourceRevisionConfig = Infer<typeof sourceRevisionConfig>;

export const secret = object("Secret", { name: required(string({ minLength: 1 })), value: required(string()) });
export type Secret = Infer<typeof secret>;

export const secretReference = object("SecretReference", {
  name: required(string({ minLength: 1 })),
  secret_name: required(string({ minLength: 1 })),
  secret_key: required(string({ minLength: 1 })),
});
export type SecretReference = Infer<typeof secretReference>;

const deploymentStatuses = ["AWAITING_DATABASE", "READY", "UNUSED", "AWAITING_DELETE", "UNKNOWN"] as const;

/** interface-notes.md section 2, "Revision status". */
const revisionStatuses = [
  ...["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"],
  ...["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "SKIPPED", "INTERRUPTED", "UNKNOWN"],
] as const;

export const deployment = object("Deployment", {
  name: required(string()),
  source: required(oneOf(sources)),
  source_config: required(sourceConfig),
  source_revision_config: required(sourceRevisionConfig),
  secrets: required(list(secret)),
  secret_references: nullable(list(secretReference)),
  id: required(readOnly(uuid())),
  tenant_id: required(readOnly(uuid())),
  created_at: required(readOnly(datetime())),
  updated_at: required(readOnly(datetime())),
  status: required(readOnly(oneOf(deploymentStatuses))),
  latest_revision_id: required(readOnly(nullable(uuid()))),
  active_revision_id: required(readOnly(nullable(uuid()))),
  image_version: text,
  is_managed_deep_agent: readOnly(byDefault(boolean(), false)),
});

export const deploymentsList = object("DeploymentsList", {
  resources: required(list(deployment)),
  offset: required(integer()),
});

export const revision = object("Revision", {
  id: required(uuid()),
  created_at: required(datetime()),
  updated_at: required(datetime()),
  status: required(oneOf(revisionStatuses)),
  source: required(oneOf(sources)),
  source_revision_config: required(sourceRevisionConfig),
});

/** All that interface.md itself tells of a revision. */
export const smallRevision = object("Revision", {
  id: required(uuid()),
  status: required(string()),
  source_revision_config: required(sourceRevisionConfig),
});

export const revisionsList = object("RevisionsList", {
  resources: required(list(revision)),
  offset: required(integer()),
});

/** The body of POST /v2/deployments. */
export function createBody(rules: { named: boolean; tolerant: boolean }) {
  return object("DeploymentCreate", {
    // The pattern is known from live services only (interface-notes.md section 2, "Validation").
    name: required(string(rules.named ? { minLength: 1, pattern: "^[a-z][a-z0-9-]*$" } : { minLength: 1 })),
    source: required(oneOf(sources)),
    source_config: required(sourceConfig),
    // Published clients leave it out when they create an internal_* deployment.
    source_revision_config: rules.tolerant ? sourceRevisionConfig : required(sourceRevisionConfig),
    secrets: required(list(secret)),
    secret_references: nullable(list(secretReference)),
    image_version: text,
  });
}
export type CreateBody = Infer<ReturnType<typeof createBody>>;

/** The body of PATCH /v2/deployments/{deployment_id}; name and source are taken only to say that they cannot change. */
export const patchBody = object("DeploymentPatch", {
  name: text,
  source: nullable(oneOf(sources)),
  source_config: nullable(sourceConfig),
  source_revision_config: nullable(sourceRevisionConfig),
  secrets: nullable(list(secret)),
  secret_references: nullable(list(secretReference)),
  image_version: text,
});
export type PatchBody = Infer<typeof patchBody>;

/** The body of POST /v2/deployments/{deployment_id}/revisions. */
export const revisionBody = object("RevisionCreate", {
  source_revision_config: required(sourceRevisionConfig),
  source_config: nullable(
    object("RevisionSourceConfig", {
      install_command: text,
      build_command: text,
      resource_spec: nullable(resourceSpec),
    }),
  ),
  secrets: nullable(list(secret)),
  secret_references: nullable(list(secretReference)),
});
export type RevisionBody = Infer<typeof revisionBody>;

const { list: page } = limits;
const offset = byDefault(integer({ minimum: page.minOffset }), page.defaultOffset);

/** interface.md section 4 A, the table of GET /v2/deployments. */
export const listQuery = {
  limit: byDefault(integer({ minimum: page.minLimit, maximum: page.maxLimit }), page.defaultLimit),
  offset,
  name_contains: string(),
  status: string(),
  remote_reconciled: boolean(),
  tag_value_ids: string(),
  image_version: string(),
  deployment_type: oneOf(deploymentTypes),
  deployment_ids: string(),
} as const;
/** Newer servers know an exact name too (interface-notes.md section 2). */
export const newerListQuery = { ...listQuery, name: string() } as const;
export type ListFilter = InferFields<typeof newerListQuery>;

export const revisionsQuery = { limit: listQuery.limit, offset, status: string() } as const;
export type RevisionFilter = InferFields<typeof revisionsQuery>;
