/**
 * The settings of one provider of the program: the default one has those of the stack, an explicit one only its
 * arguments.
 */
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { parseUrn } from "../provider/definition/type-token";
import { containsUnknown } from "../provider/plan/property-values";
import type { PropertyMap } from "../provider/schema/schema";
import { describeUnknownArgument, type SettingTable, settingIssues } from "../provider/settings/setting-issues";
import { EXPLICIT } from "../provider/settings/settings";
import { isSecretSetting, settingKeys } from "../provider/settings/settings-schema";
import { decodeProperties } from "./values";

/** Returns a setting by its key, such as `agentgraph:apiKey`. */
export type Config = (key: string) => unknown;

/**
 * Returns the settings that are known.
 * @param name The name of the provider in the program; the engine names default providers `default`,
 *   `default_<version>` or `default_<URL>`, and old engines send none.
 */
export function configOf(args: Struct | undefined, name: string): Config {
  const { values } = decodeProperties(args);
  const isExplicit = isExplicitProvider(name);
  return (key) => {
    if (key === EXPLICIT) return isExplicit ? "true" : undefined;
    const value = values[key.replace(/^agentgraph:/, "")];
    return value === null || containsUnknown(value) ? undefined : value;
  };
}

const isExplicitProvider = (name: string) => name !== "" && !DEFAULT_PROVIDER.test(name);
/** With its version, or where it was downloaded from. A program may call its own `default_eu`. */
const DEFAULT_PROVIDER = /^default(_\d+_\d+_\d+|_\w+_\/|_[\w-]+\.|$)/;

const TABLE: SettingTable = Object.fromEntries(
  settingKeys.map((key) => [key, isSecretSetting(key) ? "secret" : "plain"]),
);

/** Properties of every provider, which the engine reads. */
const isEngineProperty = (key: string) => key.startsWith("__") || key === "version" || key === "pluginDownloadURL";

/**
 * Returns unknown settings. Whether secrets are encrypted is not known, since the engine passes all settings in plain
 * text; `agentgraph doctor` checks that.
 * @param urn The provider's.
 */
export function settingKeyIssues(values: PropertyMap, urn: string): SettingKeyIssue[] {
  const { project, name } = parseUrn(urn);
  const keys = Object.keys(values).filter((key) => !isEngineProperty(key));
  if (isExplicitProvider(name)) {
    return keys
      .filter((key) => !Object.hasOwn(TABLE, key))
      .map((key) => ({ severity: "error", text: `unknown argument "${key}"; ${describeUnknownArgument(key, TABLE)}` }));
  }
  const config = keys.map((key) => `agentgraph:${key}`);
  const environment = Object.keys(process.env).filter((name) => process.env[name]?.trim());
  return (
    settingIssues({ config, isSecret: () => true, environment, referenced: [], project }, TABLE)
      // An unknown variable may be the `apiKeyEnv` of another provider of the program.
      .filter(({ id, severity }) => id !== "unknown-variable" || severity === "error")
      .map(({ severity, message, remedy }) => ({ severity, text: `${message} ${remedy}` }))
  );
}

interface SettingKeyIssue {
  severity: "error" | "warning";
  text: string;
}
