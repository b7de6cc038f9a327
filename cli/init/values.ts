/** What is written to the stack configuration, and how. */
import type { SettingKey } from "../../provider/settings/settings-schema";
import { UserError } from "../../provider/text/user-error";
import { runPulumi } from "../shared/pulumi/pulumi";
import type { StackConfig } from "../shared/pulumi/stack-config";
import type { CommandContext, Options } from "../shared/subcommand";
import type { Found } from "./connect";
import { isToWrite } from "./settings";

export interface Value {
  key: SettingKey;
  value: string;
  isSecret?: boolean;
}

/** The options as they are parsed, but for the URL and the workspace, which only settings.ts reads. */
export interface InitOptions extends Options {
  apiKeyEnv?: string;
  stack?: string;
}

type Stored = Pick<StackConfig, "config" | "encrypted">;

/** Returns the values that the stack configuration lacks. */
export function valuesToWrite(found: Found, { config, encrypted }: Stored, options: InitOptions): Value[] {
  const { settings, spoken, platform } = found;
  const { vocabulary, tenantId, sources } = settings;
  const isOtherWord = spoken.githost !== vocabulary.githost || spoken.agentgraph !== vocabulary.agentgraph;
  const plain: [SettingKey, string | undefined][] = [
    ...urls(found),
    ["tenantId", isToWrite(sources.tenantId) ? tenantId : undefined],
    ["apiKeyEnv", options.storeKey === true ? undefined : options.apiKeyEnv],
    ["platform", platform?.name],
    ["vocabulary", isOtherWord ? JSON.stringify(spoken) : undefined],
  ];
  const secrets = Object.entries(options.storeKey === true ? (settings.auth ?? {}) : {}) as [SettingKey, string][];
  return [
    ...plain.map(([key, value]) => ({ key, value })),
    ...secrets.map(([key, value]) => ({ key, value, isSecret: true })),
  ].filter((one): one is Value => {
    const name = `agentgraph:${one.key}`;
    // A secret that is not encrypted is written again.
    const isStored = config[name] === one.value && (encrypted.has(name) || !("isSecret" in one));
    return one.value !== undefined && !isStored;
  });
}

/**
 * Returns the base URLs. That of the control plane includes the prefix that was found, so that no run looks for it
 * again.
 */
function urls({ settings, path }: Found): [SettingKey, string | undefined][] {
  const { sources, controlPlaneUrl, tracingApiUrl } = settings;
  const control = controlPlaneUrl && new URL(path ?? controlPlaneUrl.pathname, controlPlaneUrl);
  const url = sources.controlPlaneUrl === sources.url ? control : tracingApiUrl;
  const all = Object.entries({ url, controlPlaneUrl: control, tracingApiUrl }) as [SettingKey, URL | undefined][];
  const isOwn = (key: SettingKey) => key === "url" || sources[key] !== sources.url;
  return all.filter(([key]) => isToWrite(sources[key]) && isOwn(key)).map(([key, one]) => [key, formatUrl(one)]);
}

const formatUrl = (url: URL | undefined) => url?.href.replace(/\/$/, "");

/** Writes secrets first: if they cannot be encrypted, nothing is written. */
export async function writeValues(
  values: readonly Value[],
  stack: string | undefined,
  { folder, env }: CommandContext,
): Promise<void> {
  const more = ["--non-interactive", ...(stack === undefined ? [] : ["--stack", stack])];
  const run = async (args: readonly string[], input?: string) => {
    const options = input === undefined ? {} : { input };
    const { outcome, stderr } = await runPulumi(["config", ...args, ...more], folder, env, options);
    if (outcome !== "ok")
      throw new UserError(`The stack configuration could not be written: ${stderr.trim() || outcome}`);
  };
  for (const { key, value } of values.filter(({ isSecret }) => isSecret))
    await run(["set", "--secret", `agentgraph:${key}`], value);
  const plain = values.filter(({ isSecret }) => !isSecret);
  if (plain.length > 0)
    await run(["set-all", ...plain.flatMap(({ key, value }) => ["--plaintext", `agentgraph:${key}=${value}`])]);
}
