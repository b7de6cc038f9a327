/** Runs a program as a user does. Ctrl-C reaches it once, through the suite, so that the engine can save its state. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface CommandResult {
  code: number | null;
  stdout: string;
  /** Standard output and standard error in the order in which they appeared. */
  output: string;
}

export interface Command {
  program: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Interrupts it as Ctrl-C does. */
  stop?: AbortSignal | undefined;
}

/** How long the engine may take to end after Ctrl-C; a rollout in progress is not waited for. */
const GRACE_MS = 60_000;

export async function runCommand({ program, args, cwd, env, stop }: Command): Promise<CommandResult> {
  // A separate process group: Ctrl-C in the terminal does not reach it by itself.
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let [stdout, output] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    output += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    send(child, "SIGINT");
    timer = setTimeout(() => send(child, "SIGKILL"), GRACE_MS);
  };
  if (stop?.aborted) interrupt();
  stop?.addEventListener("abort", interrupt, { once: true });
  await closed.finally(() => {
    clearTimeout(timer);
    stop?.removeEventListener("abort", interrupt);
  });
  return { code: child.exitCode, stdout, output };
}

function send(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}
