/** Reads the resources in the state of a stack. Values are never printed. */
import { isSecretSetting, settingKeys } from "../../../provider/settings/settings-schema";
import type { CommandContext } from "../subcommand";
import { runPulumi } from "./pulumi";
import type { StackConfig } from "./stack-config";

export interface StateResource {
  type?: string;
  urn?: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  /** Whether it waits for its deletion, because another has replaced it. */
  delete?: boolean;
}

const NAMESPACE = "agentgraph:";

/** Returns undefined where the state cannot be read. */
export async function readState(
  stack: string | undefined,
  { config, encrypted }: Pick<StackConfig, "config" | "encrypted">,
  { folder, env }: Pick<CommandContext, "folder" | "env">,
): Promise<StateResource[] | undefined> {
  // The state encrypts some settings that the configuration does not. Without any, no secret is decrypted.
  const isEncrypted = (key: (typeof settingKeys)[number]) =>
    encrypted.has(NAMESPACE + key) || (isSecretSetting(key) && NAMESPACE + key in config);
  const showSecrets = settingKeys.some(isEncrypted) ? ["--show-secrets"] : [];
  const stackArgs = stack === undefined ? [] : ["--stack", stack];
  const exported = await runPulumi(["stack", "export", "--non-interactive", ...showSecrets, ...stackArgs], folder, env);
  if (exported.outcome !== "ok") return undefined;
  try {
    const { deployment } = JSON.parse(exported.stdout) as { deployment?: { resources?: StateResource[] } };
    return deployment?.resources ?? [];
  } catch {
    return undefined;
  }
}
