/** The settings of a stack with the options of the command in their place. */
import { environmentName } from "../../provider/settings/servers";
import { describeMissing } from "../../provider/settings/setting-warnings";
import { readSettings, type Settings, SettingsError } from "../../provider/settings/settings";
import type { Config } from "../shared/pulumi/stack-config";
import { type Options, UsageError } from "../shared/subcommand";

/** Options by the setting that they replace. */
const OPTIONS = {
  url: { option: "url", flag: "--url" },
  apiKeyEnv: { option: "apiKeyEnv", flag: "--api-key-env" },
  tenantId: { option: "workspace", flag: "--workspace" },
} as const;

const fromOption = (flag: string) => `the option ${flag}`;
const fromStack = (key: string) => `stack configuration agentgraph:${key}`;

/** Whether a setting comes from elsewhere than the stack configuration. */
export const isToWrite = (source: string | undefined): boolean =>
  source !== undefined && !source.startsWith(fromStack(""));

/** @throws UsageError where a setting is missing, or one that takes precedence contradicts an option. */
export function readInitSettings(config: Config, options: Options, env: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(OPTIONS).filter(([, { option }]) => options[option] !== undefined);
  const values = Object.fromEntries(given.map(([key, { option }]) => [`agentgraph:${key}`, options[option]]));
  const settings = readWith((key) => values[key] ?? config[key], env, given);
  const flags = new Map(given.map(([key, { flag }]) => [fromStack(key), fromOption(flag)]));
  const sources = Object.fromEntries(
    Object.entries(settings.sources).map(([key, source]) => [key, flags.get(source) ?? source]),
  );
  assertUsed({ ...settings, sources }, options);
  // Of the value of an option, they would say that it is in the stack configuration.
  const warnings = settings.warnings.filter(({ text }) => !given.some(([key]) => text.includes(fromStack(key))));
  const missing = settings.missing.controlPlane;
  if (missing.length === 0) return { ...settings, sources, warnings };
  const inPlace =
    "Or use the options --url and --api-key-env, or the variables of the platform's own tools, such as " +
    "LANGSMITH_API_KEY.";
  throw new UsageError(`${describeMissing(missing)}\n${inPlace}`);
}

/** @throws UsageError that names an option with an invalid value. */
function readWith(
  config: (key: string) => unknown,
  env: NodeJS.ProcessEnv,
  given: readonly [string, { flag: string }][],
): Settings {
  try {
    return readSettings(config, env);
  } catch (error) {
    if (!(error instanceof SettingsError) || given.length === 0) throw error;
    const named = given.reduce(
      (text, [key, { flag }]) => text.replaceAll(fromStack(key), fromOption(flag)),
      error.message,
    );
    throw new UsageError(named);
  }
}

function assertUsed({ sources, auth }: Settings, options: Options): void {
  for (const key of ["controlPlaneUrl", "tracingApiUrl"] as const)
    if (options.url !== undefined && sources[key] !== sources.url) throw conflict(key, sources[key], "--url");
  if (options.apiKeyEnv === undefined || auth?.apiKey === undefined) return;
  if (sources.apiKey !== `the environment variable ${options.apiKeyEnv}`)
    throw conflict("apiKey", sources.apiKey, "--api-key-env");
}

function conflict(key: string, source: string | undefined, flag: string): UsageError {
  const remedy =
    source === fromStack(key) ? `run \`pulumi config rm agentgraph:${key}\`` : `unset ${environmentName(key)}`;
  return new UsageError(`${flag} has no effect beside ${key} from ${source}: ${remedy}, or leave out the option.`);
}
