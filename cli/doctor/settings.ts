/** Checks the settings of a program in this folder, and reports where they come from. */
import { kindOfToken } from "../../provider/definition/type-token";
import { definitions } from "../../provider/definitions";
import { environmentName, SERVERS, type ServerName } from "../../provider/settings/servers";
import type { MissingSetting } from "../../provider/settings/setting-warnings";
import { readSettings, type Settings, SettingsError } from "../../provider/settings/settings";
import { settingIssues } from "../../sdk/nodejs/setting-keys";
import { findProjectFolder, readProjectField } from "../shared/project";
import { type Config, readStackConfig } from "../shared/stack-config";
import type { CommandContext } from "../shared/subcommand";
import { checkBackend } from "./backend";
import type { Check, Group } from "./check";
import { checkObservability } from "./observability";
import { checkProxy } from "./proxy";
import { readState, type StateResource } from "./state";
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

function checkKey({ auth, sources, missing, warnings }: Settings, isNeeded: boolean): Check[] {
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
    ...warnings.map(({ text }): Check => ({ id: "warning", status: "note", message: text })),
  ];
}

const formatUrl = (url: URL | undefined) => url?.href.replace(/\/$/, "");

/**
 * A program may use only one of the servers, so a missing URL is a problem only if both are missing.
 * @param needed The servers that are needed then.
 */
function checkUrls(settings: Settings, needed: readonly ServerName[]): Check[] {
  const { controlPlaneUrl, tracingApiUrl, tenantId, missing } = settings;
  const isNoneSet = !controlPlaneUrl && !tracingApiUrl;
  const check = (server: ServerName, value: string | undefined, { id, isNeeded, what }: Requirement): Check => {
    if (value !== undefined) return { id, status: "ok", message: `${id}: ${value}` };
    const message = `${id} is not set (required for ${what})`;
    // Not required by a program without those resources.
    if (!isNeeded) return { id, status: "skipped", message };
    const remedy = remedyFor(id, missing[server]);
    return { id, status: "fix", message, ...(remedy && { remedy }) };
  };
  const checkUrl = (server: ServerName, url: URL | undefined, what: string) =>
    check(server, formatUrl(url), { id: SERVERS[server], isNeeded: isNoneSet && needed.includes(server), what });
  return [
    checkUrl("controlPlane", controlPlaneUrl, "deployments and threads"),
    checkUrl("tracing", tracingApiUrl, "exports"),
    check("tracing", tenantId, {
      id: "tenantId",
      isNeeded: tracingApiUrl !== undefined,
      what: "exports and organization-wide API keys",
    }),
  ];
}

interface Requirement {
  id: MissingSetting["name"];
  isNeeded: boolean;
  what: string;
}
