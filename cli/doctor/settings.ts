/** Checks the settings of a program in this folder, and reports where they come from. */
import { kindOfToken } from "../../provider/definition/type-token";
import { definitions } from "../../provider/definitions";
import { platformAt } from "../../provider/settings/platforms";
import { environmentName, SERVERS, type ServerName } from "../../provider/settings/servers";
import type { MissingSetting } from "../../provider/settings/setting-warnings";
import { readSettings, type Settings, SettingsError } from "../../provider/settings/settings";
import { settingIssues } from "../../sdk/nodejs/setting-keys";
import type { Check, Group } from "../shared/check";
import { findProjectFolder, readProjectField } from "../shared/pulumi/project";
import { type Config, readStackConfig } from "../shared/pulumi/stack-config";
import { readState, type StateResource } from "../shared/pulumi/state";
import type { CommandContext } from "../shared/subcommand";
import { checkBackend } from "./backend";
import { checkObservability } from "./observability";
import { checkProxy } from "./proxy";
import { checkStoredSettings } from "./stored-settings";

interface SettingsResult {
  group: Group;
  /** Undefined if they are invalid. */
  settings: Settings | undefined;
  /** The state of the stack; empty if it could not be read. */
  resources: StateResource[];
  /** Secrets of the stack configuration, which may appear in any message. */
  secrets: string[];
}

export async function checkSettings(stack: string | undefined, context: CommandContext): Promise<SettingsResult> {
  // The CLI repeats requests to a backend that does not respond, so both take that time together.
  const [backend, stackConfig] = await Promise.all([checkBackend(context), readStackConfig(stack, context)]);
  const hasStack = stackConfig.status === "ok";
  const resources = hasStack ? await readState(stack, stackConfig, context) : [];
  const stored = hasStack ? checkStoredSettings(stackConfig, resources) : [];
  const { config, encrypted, ...outcome } = stackConfig;
  const check: Check = { id: "config", ...outcome };
  const parsed = checkValues(config, context.env, resources ?? []);
  const observed = checkObservability(parsed.settings, resources ?? [], context);
  const proxies = checkProxy(parsed.settings, context.env);
  const values = [...keyChecks(config, encrypted, context), ...parsed.checks];
  const checks = [backend, check, ...values, ...proxies, ...observed, ...stored];
  const secrets = [...encrypted].flatMap((key) => textsIn(config[key]));
  return { group: { title: "Settings", checks }, settings: parsed.settings, resources: resources ?? [], secrets };
}

/** Returns all texts in a value of the configuration. */
function textsIn(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return value === undefined ? [] : [String(value)];
}

/** Reports keys without effect and unencrypted secrets, for which a program fails or warns. */
function keyChecks(config: Config, encrypted: ReadonlySet<string>, { env, folder }: CommandContext): Check[] {
  const project = findProjectFolder(folder);
  const issues = settingIssues({
    config: Object.keys(config),
    isSecret: (checkKey) => encrypted.has(checkKey),
    environment: Object.keys(env).filter((name) => env[name]?.trim()),
    referenced: [config["agentgraph:apiKeyEnv"], env[environmentName("apiKeyEnv")]].map(String),
    project: project && readProjectField(project, "name"),
  });
  return issues.map(({ id, severity, message, remedy }) => ({
    id,
    status: severity === "error" ? "fix" : "note",
    message,
    remedy,
  }));
}

/** @param resources The state of the stack: those by `deploymentUrl` need no settings. */
export function checkValues(
  config: Config,
  env: NodeJS.ProcessEnv,
  resources: readonly StateResource[],
): { checks: Check[]; settings: Settings | undefined } {
  const own = resources.filter(({ type = "" }) => kindOfToken(type) !== undefined);
  const dependent = own.filter(({ inputs }) => inputs?.deploymentUrl === undefined);
  const isNeeded = own.length === 0 || dependent.length > 0;
  try {
    const settings = readSettings((checkKey) => config[checkKey], env);
    return {
      checks: [...checkKey(settings, isNeeded), ...checkUrls(settings, isNeeded ? serversOf(dependent) : [])],
      settings,
    };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const check: Check = {
      id: "settings",
      status: "fix",
      message: error.message,
      remedy: "Correct them at their source.",
    };
    return { checks: [check], settings: undefined };
  }
}

/** Returns the servers that resources are on; of a stack without any, the one that the first deployment needs. */
function serversOf(resources: readonly StateResource[]): ServerName[] {
  const kinds = new Set(resources.map(({ type = "" }) => kindOfToken(type)));
  if (kinds.size === 0) return ["controlPlane"];
  return definitions.filter(({ kind }) => kinds.has(kind)).map(({ server }) => server);
}

const remedyFor = (setting: MissingSetting["name"], missing: readonly MissingSetting[]) =>
  missing.find(({ name }) => name === setting)?.remedy.replace(/^./, (first) => first.toUpperCase());

function checkKey({ auth, sources, missing, warnings, tenantId }: Settings, isNeeded: boolean): Check[] {
  const id = "key";
  if (!auth && !isNeeded)
    return [{ id, status: "skipped", message: "no API key is set (required for deployments and exports)" }];
  if (!auth) {
    const remedy = remedyFor("apiKey", missing.controlPlane);
    return [{ id, status: "fix", message: "no API key is set, so only previews work", ...(remedy && { remedy }) }];
  }
  const names = { apiKey: "API key", bearerToken: "bearer token" };
  return [
    ...(Object.keys(auth) as (keyof typeof auth)[]).map(
      (kind): Check => ({ id, status: "ok", message: `${names[kind]} from ${sources[kind]}` }),
    ),
    ...warnings
      // Another row and the checks of the tracing API say what is known of the workspace.
      .filter(({ text }) => tenantId !== undefined || !text.startsWith("tenantId:"))
      .map(({ text }): Check => ({ id: "warning", status: "note", message: text })),
  ];
}

const formatUrl = (url: URL | undefined) => url?.href.replace(/\/$/, "");

/**
 * A program may use only one of the servers, so a missing URL is a problem only if both are missing.
 * @param needed The servers that are needed then.
 */
function checkUrls(settings: Settings, needed: readonly ServerName[]): Check[] {
  const { controlPlaneUrl, tracingApiUrl, tenantId, missing, sources } = settings;
  const isNoneSet = !controlPlaneUrl && !tracingApiUrl;
  const check = (server: ServerName, what: string): Check => {
    const id = SERVERS[server];
    const value = formatUrl(settings[id]);
    if (value !== undefined) return { id, status: "ok", message: `${id}: ${value}, from ${sources[id]}` };
    const message = `${id} is not set (required for ${what})`;
    // Not required by a program without those resources.
    if (!isNoneSet || !needed.includes(server)) return { id, status: "skipped", message };
    const remedy = remedyFor("url", missing[server]);
    return { id, status: "fix", message, ...(remedy && { remedy }) };
  };
  return [
    check("controlPlane", "deployments and threads"),
    check("tracing", "exports"),
    tenantId === undefined
      ? { id: "tenantId", status: "skipped", message: UNSET_WORKSPACE }
      : { id: "tenantId", status: "ok", message: `tenantId: ${tenantId}, from ${sources.tenantId}` },
    ...checkPlatform(settings),
  ];
}

const UNSET_WORKSPACE = "tenantId is not set: the only workspace of the API key is used, where the server lists it";

function checkPlatform({ platform, controlPlaneUrl, tracingApiUrl, sources }: Settings): Check[] {
  const id = "platform";
  if (platform) return [{ id, status: "ok", message: `platform: ${platform}, from ${sources.platform}` }];
  const known = platformAt(controlPlaneUrl ?? tracingApiUrl);
  return known ? [{ id, status: "ok", message: `platform: ${known.title}, known from its host` }] : [];
}
