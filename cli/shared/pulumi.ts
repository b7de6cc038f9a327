/** Runs the Pulumi CLI without a terminal. */
import { execFile } from "node:child_process";

export interface Answer {
  /** `missing`: the command is not on PATH. */
  outcome: "fine" | "failed" | "missing";
  stdout: string;
  stderr: string;
}

/** A backend on a slow network may take a while. */
const TIMEOUT_MS = 60_000;

export function pulumi(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<Answer> {
  const quiet = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: quiet, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
    const child = execFile("pulumi", args, options, (error, stdout, stderr) => {
      const outcome = error === null ? "fine" : error.code === "ENOENT" ? "missing" : "failed";
      resolve({ outcome, stdout, stderr });
    });
    // The CLI may prompt for a passphrase, and no one can answer.
    child.stdin?.end();
  });
}
