import type { ApiRequest } from "../../http/route";
import type { Context } from "../../runtime/context";
import { sameRepository } from "../sources/commits";
import { isUploadOf } from "../sources/uploads";
import type { DeploymentRecord } from "./records";
import { checkResourceSpec, checkRunnable } from "./resource-spec";
import type { PatchBody, Secret, Source, SourceConfig, SourceRevisionConfig } from "./schemas";

/** The parts of a deployment, as it would be after a request, that rules check. */
export interface ResultingDeployment {
  /** Absent before the deployment is created. */
  id?: string;
  source_config: SourceConfig;
  source_revision_config: SourceRevisionConfig;
}

type RuleRequest = Pick<ApiRequest, "addIssue" | "addNote" | "tenantId">;

/** The body of a creation, an update or a new revision. */
type RequestBody = Pick<PatchBody, "source_config" | "source_revision_config" | "secrets" | "secret_references">;

const builtSources: readonly Source[] = ["githost", "internal_source"];

/** Fields that only some sources support (API `2A`). */
const sourceSpecificFields: readonly (readonly [loc: readonly string[], sources: readonly Source[]])[] = [
  [["source_config", "integration_id"], ["githost"]],
  [["source_config", "repo_url"], ["githost"]],
  [["source_config", "build_on_push"], ["githost"]],
  [["source_config", "custom_url"], ["external_docker"]],
  [["source_config", "listener_id"], ["external_docker"]],
  [["source_config", "listener_config"], ["external_docker"]],
  [["source_revision_config", "repo_ref"], ["githost"]],
  [["source_revision_config", "agentgraph_config_path"], builtSources],
  [
    ["source_revision_config", "image_uri"],
    ["external_docker", "internal_docker"],
  ],
  [["source_revision_config", "source_tarball_path"], ["internal_source"]],
  [["secret_references"], ["external_docker"]],
];

/** Fields that real servers tolerate with other sources; only `--strict` and `--interface-only` reject them. */
const toleratedFields: readonly (readonly [field: keyof SourceConfig, source: Source, note: string])[] = [
  // Published clients also send it with internal sources.
  ["deployment_type", "githost", "is ignored: it is only for hosted git repositories"],
  ["resource_spec", "external_docker", "applies to source 'external_docker' only"],
];

/** Fields of source_config that cannot change after creation (API `4A.PATCH:immutable`), by platform. */
const immutable = {
  described: ["integration_id", "repo_url", "deployment_type", "listener_id"],
  today: ["deployment_type", "listener_id", "template_id"],
} as const;

/** Names that the cloud platform reserves (API `2A.Secret.name:reserved`). */
const reservedNames = ["DATABASE_URI", "POSTGRES_URI", "REDIS_URI", "REDIS_CLUSTER", "PORT", "PATH"];
const commandCharacters = /["'`\\\n\r|;$<>]|(?<!&)&(?!&)/;

/** Checks the request by itself, independently of the stored deployment. */
export function checkRequestBody(context: Context, request: RuleRequest, source: Source, body: RequestBody): void {
  for (const [loc, allowed] of sourceSpecificFields) {
    if (getPath(body, loc) == null || allowed.includes(source)) continue;
    const sourceNames = allowed.map((word) => `'${context.vocabulary.enumValue(word)}'`).join(" and ");
    request.addIssue(loc, `${context.vocabulary.location(loc).at(-1)} can only be set for source ${sourceNames}`);
  }
  const config: SourceConfig = body.source_config ?? {};
  checkTolerated(context, request, source, config);
  const addIssue = (loc: readonly (string | number)[], message: string) =>
    request.addIssue(["source_config", "resource_spec", ...loc], message);
  checkResourceSpec(config.resource_spec ?? {}, addIssue);
  if (context.settings.strict) checkRunnable(config.resource_spec ?? {}, addIssue);
  if (context.settings.interfaceOnly) return;
  checkCommands(request, config);
  if (source !== "external_docker") checkReservedNames(request, body.secrets ?? []);
}

function checkTolerated(
  { settings, vocabulary }: Context,
  request: RuleRequest,
  source: Source,
  config: SourceConfig,
): void {
  if (settings.platform === "today") return;
  for (const [field, supportedSource, note] of toleratedFields) {
    if (config[field] == null || source === supportedSource) continue;
    if (settings.strict || settings.interfaceOnly) {
      const message = `${field} can only be set for source '${vocabulary.enumValue(supportedSource)}'`;
      request.addIssue(["source_config", field], message);
    } else request.addNote(`body.source_config.${field} ${note}`);
  }
}

function checkCommands(request: RuleRequest, config: SourceConfig): void {
  for (const name of ["install_command", "build_command"] as const) {
    const command = config[name];
    if (command == null || !commandCharacters.test(command)) continue;
    request.addIssue(
      ["source_config", name],
      `${name} must not contain quotes, backticks, backslashes, newlines, |, ;, $, <, > or a single &`,
    );
  }
}

function checkReservedNames(request: RuleRequest, secrets: Secret[]): void {
  for (const [index, { name }] of secrets.entries()) {
    if (reservedNames.includes(name))
      request.addIssue(["secrets", index, "name"], `${name} is reserved by the platform`);
  }
}

/** The parts of a request that depend on the stored deployment. */
type SourceChanges = Pick<PatchBody, "source_config" | "source_revision_config">;

/** Checks the request against the deployment that would result from it. */
export function checkResult(
  context: Context,
  request: RuleRequest,
  body: SourceChanges,
  result: ResultingDeployment,
): void {
  const { listener_id, listener_config, integration_id } = body.source_config ?? {};
  checkReference(request, result);
  checkTarball(context, request, body.source_revision_config?.source_tarball_path, result.id);
  if (integration_id != null) checkIntegration(context, request, integration_id);
  if (context.settings.platform === "today" && result.id !== undefined && body.source_config?.repo_url != null)
    checkRepository(context, request, result);
  const namespace = listener_config?.k8s_namespace;
  if (namespace != null && result.source_config.listener_id == null) {
    request.addIssue(["source_config", "listener_config"], "listener_config needs a listener_id");
  }
  if (listener_id != null) checkListener(context, request, listener_id, namespace);
}

function checkReference(request: RuleRequest, { source_config, source_revision_config }: ResultingDeployment): void {
  const { repo_ref } = source_revision_config;
  if (!repo_ref?.startsWith("refs/")) return;
  if (!repo_ref.startsWith("refs/tags/")) {
    const message = "repo_ref must be the bare name of a branch, or refs/tags/ and the name of a tag";
    request.addIssue(["source_revision_config", "repo_ref"], message);
  } else if (source_config.build_on_push) {
    const message = "build_on_push cannot be enabled when repo_ref starts with refs/tags/";
    request.addIssue(["source_config", "build_on_push"], message);
  }
}

function checkTarball(
  context: Context,
  request: RuleRequest,
  path: string | null | undefined,
  id: string | undefined,
): void {
  if (path == null || (id && isUploadOf(context, id, path))) return;
  const message = "source_tarball_path must be an object path that this deployment's upload-url returned";
  request.addIssue(["source_revision_config", "source_tarball_path"], message);
}

function checkIntegration({ store }: Context, request: RuleRequest, id: string): void {
  if (store.get("SELECT id FROM integrations WHERE id = ? AND tenant_id = ?", id, request.tenantId)) return;
  request.addIssue(["source_config", "integration_id"], `integration ${id} does not exist in this workspace`);
}

/** A moved repository must be one that the integration can read, where the emulator knows them. */
function checkRepository({ store }: Context, request: RuleRequest, { source_config }: ResultingDeployment): void {
  const { repo_url = "", integration_id = null } = source_config;
  const urls = store.all("SELECT url FROM repositories WHERE integration_id = ?", integration_id);
  if (urls.length === 0 || urls.some(({ url }) => sameRepository(String(url), repo_url ?? ""))) return;
  request.addIssue(["source_config", "repo_url"], `the integration cannot access the repository ${repo_url}`);
}

function checkListener(
  { store }: Context,
  request: RuleRequest,
  id: string,
  namespace: string | null | undefined,
): void {
  const row = store.get("SELECT listener FROM listeners WHERE id = ? AND tenant_id = ?", id, request.tenantId);
  if (!row) {
    request.addIssue(["source_config", "listener_id"], `listener ${id} does not exist in this workspace`);
    return;
  }
  if (namespace == null) return;
  const loc = ["source_config", "listener_config", "k8s_namespace"];
  const { compute_type, compute_config } = JSON.parse(String(row.listener));
  const namespaces: string[] = compute_config.k8s_namespaces ?? [];
  if (compute_type !== "k8s") {
    request.addIssue(loc, `k8s_namespace is only for listeners with compute type 'k8s', not '${compute_type}'`);
  } else if (namespaces.length > 0 && !namespaces.includes(namespace)) {
    request.addIssue(loc, `the listener does not serve this namespace; expected one of ${namespaces.join(", ")}`);
  }
}

/** Checks the source and the values required at creation (API `2A.Deployment.source:editions`). */
export function checkCreate(
  context: Context,
  request: RuleRequest,
  source: Source,
  config: SourceRevisionConfig,
): void {
  const { edition } = context.settings;
  if (builtSources.includes(source) && config.agentgraph_config_path == null)
    checkMissingPath(context, request, source);
  const selfHosted = source === "external_docker";
  if ((edition === "cloud" && selfHosted) || (edition === "self-hosted" && !selfHosted)) {
    request.addIssue(
      ["source"],
      `source '${context.vocabulary.enumValue(source)}' is not available on this installation`,
    );
  }
}

/** Live servers do not require the path before the tarball, because published clients send both together. */
function checkMissingPath({ settings, vocabulary }: Context, request: RuleRequest, source: Source): void {
  const name = vocabulary.fieldName("agentgraph_config_path");
  const isLenient = settings.platform === "today" || !(settings.strict || settings.interfaceOnly);
  if (source === "internal_source" && isLenient) {
    request.addNote(`source '${source}' is created without ${name}, as real servers allow`);
    return;
  }
  const loc = ["source_revision_config", "agentgraph_config_path"];
  request.addIssue(loc, `${name} is required for source '${vocabulary.enumValue(source)}'`);
}

/** Checks that a PATCH does not change immutable fields. Repeating their values is allowed. */
export function checkImmutable(
  { settings }: Context,
  request: RuleRequest,
  deployment: DeploymentRecord,
  body: PatchBody,
): void {
  for (const field of ["name", "source"] as const) {
    if (body[field] != null && body[field] !== deployment[field])
      request.addIssue([field], `${field} cannot be changed`);
  }
  for (const field of immutable[settings.platform]) {
    const value = body.source_config?.[field];
    const ignored = field === "deployment_type" && deployment.source !== "githost" && settings.platform !== "today";
    if (value == null || ignored || value === deployment.source_config[field]) continue;
    request.addIssue(["source_config", field], `${field} cannot be changed`);
  }
  const namespace = body.source_config?.listener_config?.k8s_namespace;
  if (namespace != null && namespace !== deployment.source_config.listener_config?.k8s_namespace) {
    request.addIssue(["source_config", "listener_config", "k8s_namespace"], "k8s_namespace cannot be changed");
  }
}

/** Returns a field of a validated body, in which every part but the last is an object. */
function getPath(body: RequestBody, loc: readonly string[]): unknown {
  return loc.reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], body);
}
