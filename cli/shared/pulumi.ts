/** Runs the Pulumi CLI without a terminal. */
import { execFile } from "node:child_process";

export interface PulumiResult {
  /** `missing`: the command is not on PATH; `timeout`: it did not end in time. */
  outcome: "ok" | "failed" | "missing" | "timeout";
  stdout: string;
  stderr: string;
}

/** A backend on a slow network may take a while. */
const TIMEOUT_MS = 60_000;

export function runPulumi(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
  timeoutMs = TIMEOUT_MS,
): Promise<PulumiResult> {
  const environment = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: environment, timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile("pulumi", args, options, (error, stdout, stderr) => {
      const outcome = error === null ? "ok" : error.code === "ENOENT" ? "missing" : error.killed ? "timeout" : "failed";
      resolve({ outcome, stdout, stderr });
    });
    // The CLI may prompt for a passphrase, and no one could enter it.
    child.stdin?.end();
  });
}
