import { randomUUID } from "node:crypto";
import type { SQLInputValue } from "node:sqlite";
import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { durations } from "../runtime/limits";
import { ensureProject } from "../tracing/projects";
import { requireDeployment, requireUndeletedDeployment } from "./lookup";
import { assertNameAvailable } from "./model/names";
import { type DeploymentRecord, insert, latestConfig, toDeployment, updateDeployment } from "./model/records";
import { checkCreate, checkImmutable, checkRequestBody, checkResult } from "./model/rules";
import type {
  CreateBody,
  ListFilter,
  PatchBody,
  RevisionBody,
  Secret,
  SourceConfig,
  SourceRevisionConfig,
} from "./model/schemas";
import { sealSecrets } from "./model/secrets";
import { assignType, extraOf, storedSpec } from "./model/stored";
import { checkTodaysBody, checkTodaysCreate } from "./model/today";
import { deploymentResponse } from "./responses";
import { startRevision } from "./rollout/rollout";

/** POST /v2/deployments */
export function createDeployment(context: Context, request: ApiRequest): ApiResponse {
  const body = request.body as CreateBody;
  const { source } = body;
  const revisionConfig = body.source_revision_config ?? {};
  if (context.settings.platform === "today") checkTodaysCreate(body);
  checkCreate(context, request, source, revisionConfig);
  checkRequestBody(context, request, source, body);
  checkResult(context, request, body, { ...body, source_revision_config: revisionConfig });
  request.throwIfIssues();
  assertNameAvailable(context, request.tenantId, { name: nameOf(body), isAgent: body.agent != null });
  const deployment = newDeployment(context, request.tenantId, body);
  insert(context.store, "deployments", deployment);
  createProject(context, deployment);
  context.scheduler.schedule(durations.database, {
    kind: "database-ready",
    subject: deployment.id,
    owner: deployment.id,
  });
  if (isDeployable(deployment, revisionConfig)) startRevision(context, deployment, revisionConfig);
  const params = { deployment_id: deployment.id };
  return { ...getDeployment(context, { ...request, params }), status: 201 };
}

/** A deployment for an agent has the name of its tracing project (API `2A.Deployment.agent:project`). */
const nameOf = ({ name, agent }: CreateBody): string => name ?? `${agent?.agent_id}-${agent?.environment}`;

function newDeployment(context: Context, tenantId: string, body: CreateBody): DeploymentRecord {
  const now = context.clock.isoNow();
  const id = randomUUID();
  const { source } = body;
  const requestedConfig = { ...body.source_config };
  const deployment_type = assignType(context, tenantId, body);
  const source_config: SourceConfig = {
    ...requestedConfig,
    // Live servers fill in these two (API `4A.POST:defaults`).
    deployment_type,
    ...(source === "githost" && { build_on_push: requestedConfig.build_on_push ?? false }),
    resource_spec: storedSpec(context, requestedConfig.resource_spec, { source, type: deployment_type }),
  };
  return {
    id,
    tenant_id: tenantId,
    name: nameOf(body),
    agent: body.agent ?? null,
    display_name: null,
    extra: extraOf(body),
    source,
    status: "AWAITING_DATABASE",
    created_at: now,
    updated_at: now,
    source_config,
    secrets: sealSecrets(context, id, uniqueSortedSecrets(body.secrets ?? [])),
    secret_references: body.secret_references ?? null,
    first_revision_config: body.source_revision_config ?? null,
    latest_revision_id: null,
    active_revision_id: null,
    image_version: body.image_version ?? null,
    is_managed_deep_agent: false,
    remote_reconciled: requestedConfig.listener_id != null,
    tag_value_ids: [],
  };
}

/**
 * Deduplicates secrets, keeping the last of each name, and sorts them by name, because their order is not guaranteed.
 */
function uniqueSortedSecrets(secrets: Secret[]): Secret[] {
  const byName = new Map(secrets.map((secret) => [secret.name, secret]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A deployment has no revision until its image or tarball is set. */
function isDeployable({ source }: DeploymentRecord, config: SourceRevisionConfig): boolean {
  if (source === "internal_docker") return config.image_uri != null;
  return source !== "internal_source" || config.source_tarball_path != null;
}

/** API `1A`: a tracing project of the same name; reuses an existing one. */
function createProject({ store, clock }: Context, { tenant_id, name }: DeploymentRecord): void {
  ensureProject(store, { tenant_id, name, start_time: clock.isoNow() });
}

/** GET /v2/deployments/{deployment_id} */
export function getDeployment(context: Context, request: ApiRequest): ApiResponse {
  return { status: 200, body: deploymentResponse(context, requireDeployment(context, request), request.origin) };
}

/** GET /v2/deployments: newest first, with the filters of the interface. */
export function listDeployments(context: Context, request: ApiRequest<ListFilter>): ApiResponse {
  const { limit, offset, ...filter } = request.query;
  const conditions = listConditions(filter).filter(([, value]) => value !== undefined) as [string, SQLInputValue][];
  const where = ["tenant_id = ?", ...conditions.map(([sql]) => sql)].join(" AND ");
  const resources = context.store
    .all(
      `SELECT * FROM deployments WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET CAST(? AS INTEGER)`,
      ...[request.tenantId, ...conditions.map(([, value]) => value), limit, offset],
    )
    .map((row) => deploymentResponse(context, toDeployment(row), request.origin));
  return { status: 200, body: { resources, offset: offset + resources.length } };
}

/** Returns the conditions of all filters; those with an undefined value do not apply. */
function listConditions(filter: Omit<ListFilter, "limit" | "offset">): [sql: string, value?: SQLInputValue][] {
  const list = (values: string | undefined) =>
    values === undefined ? undefined : JSON.stringify(values.split(",").map((value) => value.trim()));
  const { remote_reconciled: isReconciled } = filter;
  return [
    ["instr(name, ?) > 0", filter.name_contains],
    ["name = ? AND agent IS NULL", filter.name],
    ["agent ->> 'agent_id' = ?", filter.agent_id],
    ["agent ->> 'environment' = ?", filter.agent_environment],
    ["status = ?", filter.status],
    ["remote_reconciled = ?", isReconciled === undefined ? undefined : Number(isReconciled)],
    ["image_version = ?", filter.image_version],
    ["source_config ->> 'deployment_type' = ?", filter.deployment_type],
    ["id IN (SELECT value FROM json_each(?))", list(filter.deployment_ids?.toLowerCase())],
    [
      "EXISTS (SELECT 1 FROM json_each(tag_value_ids) AS tag WHERE tag.value IN (SELECT value FROM json_each(?)))",
      list(filter.tag_value_ids),
    ],
  ];
}

/** PATCH /v2/deployments/{deployment_id}: null and absent values keep the current ones. */
export function patchDeployment(context: Context, request: ApiRequest): ApiResponse {
  const deployment = requireUndeletedDeployment(context, request);
  const body = request.body as PatchBody;
  checkImmutable(context, request, deployment, body);
  const { updated, config } = applyUpdate(context, request, deployment, body);
  const { display_name } = body;
  const newExtra = extraOf(body);
  updateDeployment(context, deployment.id, {
    ...(display_name != null && { display_name }),
    ...(newExtra && { extra: { ...deployment.extra, ...newExtra } }),
  });
  if (needsRevision(context, body)) startRevision(context, updated, config);
  return getDeployment(context, request);
}

/**
 * API `3.1`: a non-null value creates a revision, even if it is unchanged; API
 * `2A.SourceConfig.install_command:revision`, `2A.Deployment.secret_references:revision`.
 */
function needsRevision(
  { settings }: Context,
  { secrets, secret_references, source_config, source_revision_config: config }: PatchBody,
): boolean {
  const values = [config?.repo_ref, config?.agentgraph_config_path, config?.image_uri, config?.source_tarball_path];
  const isToday = settings.platform === "today";
  const todaysValues = isToday ? [source_config?.install_command, source_config?.build_command, secret_references] : [];
  const newSecrets = isToday && secrets?.length === 0 ? null : secrets;
  return [newSecrets, source_config?.resource_spec, ...values, ...todaysValues].some((value) => value != null);
}

/** Stores an update. Returns the deployment with it, and the configuration of its next revision. */
export function applyUpdate(
  context: Context,
  request: ApiRequest,
  deployment: DeploymentRecord,
  body: PatchBody | RevisionBody,
): { updated: DeploymentRecord; config: SourceRevisionConfig } {
  const previousConfig = latestConfig(context.store, deployment);
  if (context.settings.platform === "today") checkTodaysBody(deployment.source, body);
  const {
    resource_spec,
    listener_config,
    deployment_type: _,
    ...rest
  } = definedFields(body.source_config as SourceConfig | null | undefined);
  const config = { ...previousConfig, ...definedFields(body.source_revision_config) };
  const { source } = deployment;
  const change = {
    source_config: {
      ...deployment.source_config,
      ...rest,
      ...(listener_config && {
        listener_config: { ...deployment.source_config.listener_config, ...definedFields(listener_config) },
      }),
      ...(resource_spec && {
        resource_spec: storedSpec(context, resource_spec, { source, type: deployment.source_config.deployment_type }),
      }),
    },
    secrets: shouldReplaceSecrets(context, body.secrets)
      ? sealSecrets(context, deployment.id, uniqueSortedSecrets(body.secrets))
      : deployment.secrets,
    secret_references: body.secret_references ?? deployment.secret_references,
    image_version: ("image_version" in body ? body.image_version : null) ?? deployment.image_version,
  };
  checkRequestBody(context, request, deployment.source, body);
  checkResult(context, request, body, { id: deployment.id, ...change, source_revision_config: config });
  request.throwIfIssues();
  updateDeployment(context, deployment.id, change);
  return { updated: { ...deployment, ...change }, config };
}

/** Live servers keep the secrets if the list is empty (API `4A.PATCH:secrets`); the interface has no such rule. */
function shouldReplaceSecrets({ settings }: Context, secrets: Secret[] | null | undefined): secrets is Secret[] {
  return secrets != null && (settings.interfaceOnly || secrets.length > 0);
}

/** Returns the fields that are neither absent nor null. */
function definedFields<T extends object>(value: T | null | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field != null)) as Partial<T>;
}
