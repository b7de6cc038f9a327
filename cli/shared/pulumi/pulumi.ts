/** Runs the Pulumi CLI without a terminal. */
import { type CommandOptions, type CommandResult, runCommand } from "../command";

export const runPulumi = (
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
  options: Pick<CommandOptions, "timeoutMs" | "input"> = {},
): Promise<CommandResult> =>
  runCommand("pulumi", args, { ...options, folder, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" } });
