/** Runs the built command as a user does, in a separate process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { runEnvironment } from "../../support/run/environment";
import { assertOutput } from "./output-schema";

export const COMMAND = join(__dirname, "../../../dist/cli/main.js");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Call {
  args: string[];
  /** What it reads on standard input. */
  input?: string;
  cwd?: string;
  /** All that it sees of the environment, but for PATH. */
  env?: Record<string, string>;
}

export const agentgraph = (call: Call): Promise<Ended> => runCommand(COMMAND, call);

/** Returns what a command prints. @throws when it fails. */
export async function outputOf(call: Call): Promise<string> {
  const { code, stdout, stderr } = await agentgraph(call);
  if (code !== 0) throw new Error(stdout + stderr);
  return stdout;
}

/**
 * @param main The file of the command, in the checkout or in an installed package.
 * @throws when its JSON differs from the schema in the package.
 */
export async function runCommand(main: string, { args, input = "", cwd, env = {} }: Call): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...runEnvironment(), ...env } });
  // It may end without reading.
  child.stdin.on("error", () => undefined).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  assertOutput(args, stdout);
  return { code: child.exitCode, stdout, stderr };
}
