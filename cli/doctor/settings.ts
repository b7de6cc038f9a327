/** The settings that a program in this folder would have, and where they come from. */
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
  /** Undefined when they cannot be used. */
  settings: Settings | undefined;
}

export async function findSettings(stack: string | undefined, surroundings: Surroundings): Promise<Found> {
  const { config, encrypted, ...told } = await stackConfig(stack, surroundings);
  const check: Check = { id: "config", ...told };
  const found = usable(config, surroundings.env);
  const checks = [check, ...keyChecks(config, encrypted, surroundings), ...found.checks];
  return { group: { title: "Settings", checks }, settings: found.settings };
}

/** Keys that have no effect, and secrets that are not encrypted. A program refuses or warns of the same. */
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
    return [
      { id, status: "fix", says: "No API key is set: previews work, and nothing else.", ...(how && { todo: how }) },
    ];
  }
  const names = { apiKey: "An API key", bearerToken: "A bearer token" };
  return [
    ...(Object.keys(auth) as (keyof typeof auth)[]).map(
      (kind): Check => ({ id, status: "ok", says: `${names[kind]} is set, from ${sources[kind]}.` }),
    ),
    ...warnings.map(({ text }): Check => ({ id: "warning", status: "note", says: text })),
  ];
}

const plain = (url: URL | undefined) => url?.href.replace(/\/$/, "");

/** A program may need one server only: so one that is not set is no mistake, but both are. */
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
    const says = `${id} is not set: ${what} need it`;
    // A program without them is asked for nothing.
    if (!isNeeded) return { id, status: "skipped", says };
    const todo = remedyFor(id, lacking);
    return { id, status: "fix", says, ...(todo && { todo }) };
  };
  return [
    check(SERVERS.controlPlane[0], plain(controlPlaneUrl), "deployments and threads", missing.controlPlane, none),
    check(SERVERS.tracing[0], plain(tracingApiUrl), "exports", missing.tracing, none),
    check(
      "tenantId",
      tenantId,
      "exports, and a key of a whole organization,",
      missing.tracing,
      tracingApiUrl !== undefined,
    ),
  ];
}
