/** Checks the settings of a program in this folder, and reports where they come from. */
import type { MissingSetting } from "../../provider/settings/missing-settings";
import { environmentName, SERVERS } from "../../provider/settings/servers";
import { readSettings, type Settings, SettingsError } from "../../provider/settings/settings";
import { settingIssues } from "../../sdk/setting-keys";
import { projectField, projectFolder } from "../shared/project";
import { type Config, stackConfig } from "../shared/stack-config";
import type { Surroundings } from "../shared/subcommand";
import type { Check, Group } from "./check";

interface Found {
  group: Group;
  /** Undefined if they are invalid. */
  settings: Settings | undefined;
}

export async function findSettings(stack: string | undefined, surroundings: Surroundings): Promise<Found> {
  const { config, encrypted, ...told } = await stackConfig(stack, surroundings);
  const check: Check = { id: "config", ...told };
  const found = usable(config, surroundings.env);
  const checks = [check, ...keyChecks(config, encrypted, surroundings), ...found.checks];
  return { group: { title: "Settings", checks }, settings: found.settings };
}

/** Reports keys without effect and unencrypted secrets, for which a program fails or warns. */
function keyChecks(config: Config, encrypted: ReadonlySet<string>, { env, folder }: Surroundings): Check[] {
  const project = projectFolder(folder);
  const issues = settingIssues({
    config: Object.keys(config),
    isSecret: (key) => encrypted.has(key),
    environment: Object.keys(env).filter((name) => env[name]?.trim()),
    referenced: [config["agentgraph:apiKeyEnv"], env[environmentName("apiKeyEnv")]].map(String),
    project: project && projectField(project, "name"),
  });
  return issues.map(({ id, severity, message, fix }) => ({
    id,
    status: severity === "error" ? "fix" : "note",
    says: message,
    todo: fix,
  }));
}

function usable(config: Config, env: NodeJS.ProcessEnv): { checks: Check[]; settings: Settings | undefined } {
  try {
    const settings = readSettings((key) => config[key], env);
    return { checks: [...key(settings), ...servers(settings)], settings };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const check: Check = {
      id: "settings",
      status: "fix",
      says: error.message,
      todo: "Correct them at their source.",
    };
    return { checks: [check], settings: undefined };
  }
}

const remedyFor = (wanted: MissingSetting["name"], missing: readonly MissingSetting[]) =>
  missing.find(({ name }) => name === wanted)?.remedy;

function key({ auth, sources, missing, warnings }: Settings): Check[] {
  const id = "key";
  if (!auth) {
    const how = remedyFor("apiKey", missing.controlPlane);
    return [{ id, status: "fix", says: "no API key is set, so only previews work", ...(how && { todo: how }) }];
  }
  const names = { apiKey: "API key", bearerToken: "bearer token" };
  return [
    ...(Object.keys(auth) as (keyof typeof auth)[]).map(
      (kind): Check => ({ id, status: "ok", says: `${names[kind]} from ${sources[kind]}` }),
    ),
    ...warnings.map(({ text }): Check => ({ id: "warning", status: "note", says: text })),
  ];
}

const plain = (url: URL | undefined) => url?.href.replace(/\/$/, "");

/** A program may use only one of the servers, so a missing URL is a problem only if both are missing. */
function servers(settings: Settings): Check[] {
  const { controlPlaneUrl, tracingApiUrl, tenantId, missing } = settings;
  const none = !controlPlaneUrl && !tracingApiUrl;
  const check = (
    id: MissingSetting["name"],
    value: string | undefined,
    what: string,
    lacking: readonly MissingSetting[],
    isNeeded: boolean,
  ): Check => {
    if (value !== undefined) return { id, status: "ok", says: `${id}: ${value}` };
    const says = `${id} is not set (required for ${what})`;
    // Not required by a program without those resources.
    if (!isNeeded) return { id, status: "skipped", says };
    const todo = remedyFor(id, lacking);
    return { id, status: "fix", says, ...(todo && { todo }) };
  };
  return [
    check(SERVERS.controlPlane[0], plain(controlPlaneUrl), "deployments and threads", missing.controlPlane, none),
    check(SERVERS.tracing[0], plain(tracingApiUrl), "exports", missing.tracing, none),
    check("tenantId", tenantId, "exports and organization-wide API keys", missing.tracing, tracingApiUrl !== undefined),
  ];
}
