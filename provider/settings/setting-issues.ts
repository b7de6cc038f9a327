/** Finds settings without effect and unencrypted secrets, by key alone, for the SDK and the plugin. */
import { closestMatch } from "../text/did-you-mean";
import { environmentName } from "./servers";

/** The settings that exist, and whether their values are secret. */
export type SettingTable = Readonly<Record<string, "secret" | "plain">>;

export interface SettingIssue {
  /** Stable identifier for other programs. */
  id: "unknown-setting" | "unknown-variable" | "plain-text-secret";
  severity: "error" | "warning";
  message: string;
  remedy: string;
}

export interface SettingNames {
  /** Keys in the stack configuration, such as `agentgraph:apiKey`; other namespaces are ignored. */
  config: readonly string[];
  isSecret(configKey: string): boolean;
  /** Names of the environment variables with a value; empty where nobody reads them. */
  environment: readonly string[];
  /** Names of environment variables to which a setting such as `apiKeyEnv` refers. */
  referenced: readonly string[];
  /** Name of the Pulumi project, which is the namespace of keys without one. */
  project: string | undefined;
}

/** Settings that were removed, and what to do instead. */
const REMOVED: ReadonlyMap<string, string> = new Map([
  [
    "nameTemplate",
    "Set the input `name` of deployments that need another name than their resource, or of all of them with a " +
      'transform: see "Default names" in docs/settings.md. Existing deployments keep their names.',
  ],
  [
    "stopAfterFailures",
    'Use the runner of examples/fleet, or `--target` for a few first: see "Stop after failures" in docs/fleets.md.',
  ],
]);

const NAMESPACE = "agentgraph:";
const VARIABLES = "AGENTGRAPH_";
/** Variables of the emulator and of the scripts in this repository. */
const OTHER_VARIABLES = /^AGENTGRAPH_(CACHE|EMULATOR_\w+)$/;

export function settingIssues(names: SettingNames, table: SettingTable): SettingIssue[] {
  const keys = names.config.filter((key) => key.startsWith(NAMESPACE)).map((key) => key.slice(NAMESPACE.length));
  return [
    ...keys.filter((key) => !Object.hasOwn(table, key)).flatMap((key) => unknownKey(key, names.project, table)),
    ...keys.filter((key) => isSecret(key, table) && !names.isSecret(NAMESPACE + key)).map(plainText),
    ...unknownVariables(names, table),
  ];
}

export function describeUnknownArgument(key: string, table: SettingTable): string {
  const instead = REMOVED.get(key);
  if (instead !== undefined) return `this setting was removed. ${instead}`;
  const closest = closestSetting(key, table);
  return closest ? `did you mean "${closest}"?` : `expected one of ${Object.keys(table).join(", ")}`;
}

const isSecret = (key: string, table: SettingTable) => Object.hasOwn(table, key) && table[key] === "secret";

const closestSetting = (key: string, table: SettingTable) => closestMatch(key, Object.keys(table));

function unknownKey(key: string, project: string | undefined, table: SettingTable): SettingIssue[] {
  const closest = closestSetting(key, table);
  // In a project with this name, the keys of the program itself are in the namespace.
  const isOwn = project !== undefined && `${project}:` === NAMESPACE;
  const instead = REMOVED.get(key);
  if (isOwn && closest === undefined && instead === undefined) return [];
  const severity = isOwn ? "warning" : "error";
  const remove = `run \`pulumi config rm agentgraph:${key}\``;
  if (instead !== undefined) {
    const message = `agentgraph:${key} in the stack configuration has no effect: this setting was removed.`;
    return [{ id: "unknown-setting", severity, message, remedy: `${instead} To remove the key, ${remove}.` }];
  }
  const remedy = closest
    ? `Did you mean agentgraph:${closest}? Set that key, and ${remove}.`
    : `To remove it, ${remove}.`;
  const message = `agentgraph:${key} in the stack configuration is not a setting of pulumi-agentgraph.`;
  return [{ id: "unknown-setting", severity, message, remedy }];
}

function plainText(key: string): SettingIssue {
  const message = `agentgraph:${key} is stored in the stack configuration as plain text.`;
  const command = `pulumi config set --secret agentgraph:${key}`;
  const remedy = `To encrypt it, run \`${command}\`, and replace the value if others could read it.`;
  return { id: "plain-text-secret", severity: "warning", message, remedy };
}

function unknownVariables({ environment, referenced }: SettingNames, table: SettingTable): SettingIssue[] {
  const names = Object.keys(table).map(environmentName);
  const expected = new Set([...names, ...referenced]);
  const unknown = environment.filter(
    (name) => name.startsWith(VARIABLES) && !expected.has(name) && !OTHER_VARIABLES.test(name),
  );
  return unknown.map((name) => {
    const [, instead] = [...REMOVED].find(([key]) => environmentName(key) === name) ?? [];
    if (instead !== undefined) {
      const message = `The environment variable ${name} has no effect: this setting was removed.`;
      return { id: "unknown-variable", severity: "error", message, remedy: `${instead} Then unset the variable.` };
    }
    const closest = closestMatch(name, names);
    const message = `The environment variable ${name} is not a setting of pulumi-agentgraph and has no effect.`;
    const remedy = closest ? `Did you mean ${closest}?` : "Unset or rename it if nothing else reads it.";
    return { id: "unknown-variable", severity: "warning", message, remedy };
  });
}
