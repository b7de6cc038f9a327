/** Reads the resources in the state of a stack. Values are never printed. */
import { settingKeys } from "../../provider/settings/settings-schema";
import { runPulumi } from "./pulumi";
import type { StackConfig } from "./stack-config";
import type { CommandContext } from "./subcommand";

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
  { encrypted }: Pick<StackConfig, "encrypted">,
  { folder, env }: Pick<CommandContext, "folder" | "env">,
): Promise<StateResource[] | undefined> {
  // Without encrypted settings, no secret of the state is decrypted.
  const showSecrets = settingKeys.some((key) => encrypted.has(NAMESPACE + key)) ? ["--show-secrets"] : [];
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
