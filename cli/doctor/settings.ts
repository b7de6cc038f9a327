/** The settings that a program in this folder would have, and where they come from. */
import { SERVERS } from "../../provider/servers";
import { readSettings, type Settings, SettingsError } from "../../provider/settings";
import type { Surroundings } from "../subcommand";
import type { Check, Group } from "./check";
import { pulumi } from "./command";
import { projectFolder } from "./program";

interface Found {
  group: Group;
  /** Undefined when they cannot be used. */
  settings: Settings | undefined;
}

/** Values by key, `agentgraph:apiKey`. */
type Config = Record<string, unknown>;

export async function findSettings(stack: string | undefined, surroundings: Surroundings): Promise<Found> {
  const { config, check } = await stackConfig(stack, surroundings);
  const found = usable(config, surroundings.env);
  return { group: { title: "Settings", checks: [check, ...found.checks] }, settings: found.settings };
}

async function stackConfig(
  stack: string | undefined,
  { folder, env }: Surroundings,
): Promise<{ config: Config; check: Check }> {
  const id = "config";
  const environment = "only the environment is read";
  if (projectFolder(folder) === undefined) {
    const todo = stack === undefined ? undefined : "--stack needs it: run the command in the program's folder.";
    const status = stack === undefined ? "skipped" : "fix";
    const says = `there is no Pulumi.yaml in ${folder} or above it, so ${environment}`;
    return { config: {}, check: { id, status, says, ...(todo && { todo }) } };
  }
  const of = stack === undefined ? [] : ["--stack", stack];
  const answer = await pulumi(["config", "--json", "--show-secrets", "--non-interactive", ...of], folder, env);
  if (answer.outcome === "missing") {
    return { config: {}, check: { id, status: "skipped", says: `without the Pulumi CLI, ${environment}` } };
  }
  const config = answer.outcome === "fine" ? valuesIn(answer.stdout) : undefined;
  if (config) return { config, check: { id, status: "ok", says: `config of ${stackNamed(stack)} was read` } };
  const said =
    answer.stderr
      .replace(/^error: /, "")
      .trim()
      .split("\n")[0] ?? "";
  const todo = "Select a stack (pulumi stack select, or --stack), log in, and give the passphrase if it has one.";
  return {
    config: {},
    check: {
      id,
      status: "note",
      says: `config of ${stackNamed(stack)} could not be read, so ${environment}: ${said}`,
      todo,
    },
  };
}

const stackNamed = (stack: string | undefined) => (stack === undefined ? "the selected stack" : `stack ${stack}`);

/** What `pulumi config --json` prints. Nothing of it is ever shown: it holds secrets in clear. */
function valuesIn(text: string): Config | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, { value?: unknown; objectValue?: unknown }>);
    return Object.fromEntries(entries.map(([key, { value, objectValue }]) => [key, objectValue ?? value]));
  } catch {
    return undefined;
  }
}

function usable(config: Config, env: NodeJS.ProcessEnv): { checks: Check[]; settings: Settings | undefined } {
  try {
    const settings = readSettings((key) => config[key], env);
    return { checks: [key(settings), ...servers(settings)], settings };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const check: Check = {
      id: "settings",
      status: "fix",
      says: error.message,
      todo: "Mend them where they come from.",
    };
    return { checks: [check], settings: undefined };
  }
}

function key({ auth, keySource, missing }: Settings): Check {
  const id = "key";
  if (auth)
    return { id, status: "ok", says: `${"apiKey" in auth ? "An API key" : "A bearer token"} is set. ${keySource}` };
  const how = /^ {2}apiKey: (.*)$/m.exec(missing.controlPlane ?? "")?.[1];
  return { id, status: "fix", says: "No key is set: previews work, and nothing else.", ...(how && { todo: how }) };
}

const plain = (url: URL | undefined) => url?.href.replace(/\/$/, "");

/** A program may need one server only: so one that is not set is no mistake, but both are. */
function servers(settings: Settings): Check[] {
  const { controlPlaneUrl, tracingApiUrl, tenantId, missing } = settings;
  const none = !controlPlaneUrl && !tracingApiUrl;
  const how = (name: string, text = "") => new RegExp(`^ {2}${name}: (.*)$`, "m").exec(text)?.[1];
  const check = (
    id: string,
    value: string | undefined,
    what: string,
    text: string | undefined,
    isNeeded: boolean,
  ): Check => {
    if (value !== undefined) return { id, status: "ok", says: `${id}: ${value}` };
    const todo = how(id, text);
    return { id, status: isNeeded ? "fix" : "note", says: `${id} is not set: ${what} need it`, ...(todo && { todo }) };
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
