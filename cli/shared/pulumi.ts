/** The Pulumi CLI, asked without a terminal. */
import { execFile } from "node:child_process";

export interface Answer {
  /** `missing`: there is no such command. */
  outcome: "fine" | "failed" | "missing";
  stdout: string;
  stderr: string;
}

/** A login behind a slow line may take a while. Milliseconds. */
const PATIENCE_MS = 60_000;

export function pulumi(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<Answer> {
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: quiet, timeout: PATIENCE_MS, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile("pulumi", args, options, (error, stdout, stderr) => {
      const outcome = error === null ? "fine" : error.code === "ENOENT" ? "missing" : "failed";
      resolve({ outcome, stdout, stderr });
    });
    // It may ask for a passphrase: nobody answers.
    child.stdin?.end();
  });
}
