/** Runs the Pulumi CLI without a terminal. */
import { type CommandResult, runCommand } from "./command";

export const runPulumi = (
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
  timeoutMs?: number,
): Promise<CommandResult> =>
  runCommand("pulumi", args, {
    folder,
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
