/**
 * Finds settings without effect and secrets that are not encrypted, by key: no value is read.
 * Does not import the Pulumi SDK, since `agentgraph doctor` uses this module too.
 */
import { environmentName } from "../provider/settings/servers";
import { closestMatch } from "../provider/text/did-you-mean";
import { settings } from "./resources";

export type SettingKey = keyof typeof settings;

export interface SettingIssue {
  /** Stable identifier for other programs. */
  id: "unknown-setting" | "unknown-variable" | "plain-text-secret";
  severity: "error" | "warning";
  /** What is wrong. */
  message: string;
  /** What to do now. */
  fix: string;
}

export interface SettingSources {
  /** Keys in the stack configuration, such as `agentgraph:apiKey`; other namespaces are ignored. */
  config: readonly string[];
  isSecret(configKey: string): boolean;
  /** Names of the environment variables with a value. */
  environment: readonly string[];
  /** Names of environment variables to which a setting such as `apiKeyEnv` refers. */
  referenced: readonly string[];
  /** Name of the Pulumi project, which is the namespace of keys without one. */
  project: string | undefined;
}

const NAMESPACE = "agentgraph:";
const VARIABLES = "AGENTGRAPH_";
/** Variables of the emulator and of the scripts in this repository. */
const OTHER_VARIABLES = /^AGENTGRAPH_(CACHE|EMULATOR_\w+)$/;

export const settingKeys = Object.keys(settings) as SettingKey[];
export const secretSettings: ReadonlySet<string> = new Set(settingKeys.filter((key) => settings[key] === "secret"));
const keySet: ReadonlySet<string> = new Set(settingKeys);

export function settingIssues(sources: SettingSources): SettingIssue[] {
  const keys = sources.config.filter((key) => key.startsWith(NAMESPACE)).map((key) => key.slice(NAMESPACE.length));
  return [
    ...keys.filter((key) => !keySet.has(key)).flatMap((key) => unknownKey(key, sources.project)),
    ...keys.filter((key) => secretSettings.has(key) && !sources.isSecret(NAMESPACE + key)).map(plainText),
    ...unknownVariables(sources),
  ];
}

/** Returns the setting that a misspelled key resembles; undefined if there is none. */
export function closestSetting(key: string): string | undefined {
  return closestMatch(key, settingKeys);
}

function unknownKey(key: string, project: string | undefined): SettingIssue[] {
  const closest = closestSetting(key);
  // In a project with this name, the keys of the program itself are in the namespace.
  const isOwn = project !== undefined && `${project}:` === NAMESPACE;
  if (isOwn && closest === undefined) return [];
  const remove = `run \`pulumi config rm agentgraph:${key}\``;
  const fix = closest ? `Did you mean agentgraph:${closest}? Set that key, and ${remove}.` : `To remove it, ${remove}.`;
  const message = `agentgraph:${key} in the stack configuration is not a setting of pulumi-agentgraph.`;
  return [{ id: "unknown-setting", severity: isOwn ? "warning" : "error", message, fix }];
}

function plainText(key: string): SettingIssue {
  const message = `agentgraph:${key} is stored in the stack configuration as plain text.`;
  const command = `pulumi config set --secret agentgraph:${key}`;
  const fix = `To encrypt it, run \`${command}\`, and replace the value if others could read it.`;
  return { id: "plain-text-secret", severity: "warning", message, fix };
}

function unknownVariables({ environment, referenced }: SettingSources): SettingIssue[] {
  const names = settingKeys.map(environmentName);
  const expected = new Set([...names, ...referenced]);
  const unknown = environment.filter(
    (name) => name.startsWith(VARIABLES) && !expected.has(name) && !OTHER_VARIABLES.test(name),
  );
  return unknown.map((name) => {
    const closest = closestMatch(name, names);
    const message = `The environment variable ${name} is not a setting of pulumi-agentgraph and has no effect.`;
    const fix = closest ? `Did you mean ${closest}?` : "Unset or rename it if nothing else reads it.";
    return { id: "unknown-variable", severity: "warning", message, fix };
  });
}
