/** Runs another program without a terminal. */
import { execFile } from "node:child_process";

export interface CommandResult {
  /** `missing`: the command is not on PATH; `timeout`: it did not end in time. */
  outcome: "ok" | "failed" | "missing" | "timeout";
  stdout: string;
  stderr: string;
}

/** A backend on a slow network may take a while. */
const TIMEOUT_MS = 60_000;
/** The state of a large stack has tens of megabytes. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

export interface CommandOptions {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Default: 60,000. */
  timeoutMs?: number;
  /** Standard input; the command sees its end at once when absent. */
  input?: string;
}

export function runCommand(
  command: string,
  args: readonly string[],
  { folder, env, timeoutMs = TIMEOUT_MS, input }: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const outcome = error === null ? "ok" : error.code === "ENOENT" ? "missing" : error.killed ? "timeout" : "failed";
      resolve({ outcome, stdout, stderr });
    });
    // The CLI may prompt for a passphrase, and no one could enter it. It may also end without reading.
    child.stdin?.on("error", () => undefined).end(input);
  });
}
