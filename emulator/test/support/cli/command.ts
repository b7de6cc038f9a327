/** Runs the command as users do, in separate processes. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type ApiResponse, request } from "../emulator";
import { assertOutput } from "./output-schema";

/** Built by the set-up of the run. */
const main = join(__dirname, "../../../dist/main.js");

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

export interface RunningEmulator {
  url: string;
  bucket: string;
  /** The error output so far. */
  stderr(): string;
  send(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Kills the process, as a power failure would. */
  kill(): Promise<void>;
  /** Stops the emulator as Ctrl-C does, and returns the exit code. */
  terminate(): Promise<number>;
}

/** Starts an emulator in the foreground on a free port. */
export async function startCommand(...args: string[]): Promise<RunningEmulator> {
  const child = spawn(process.execPath, [main, "--port", "0", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const lines = linesOf(child.stdout);
  const address = async () => / at (\S+)/.exec(String((await lines.next()).value))?.[1] ?? "";
  const [url, bucket] = [await address(), await address()];
  const stopWith = async (signal: NodeJS.Signals): Promise<number> => {
    child.kill(signal);
    const [code] = await once(child, "close");
    return code;
  };
  return {
    url,
    bucket,
    stderr: () => stderr,
    send: (method, path, body) => request(url, method, path, body, { "x-api-key": "k" }),
    kill: async () => void (await stopWith("SIGKILL")),
    terminate: () => stopWith("SIGTERM"),
  };
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Both streams. */
  output: string;
}

/**
 * Runs the command to its end; `env` is added to the environment.
 * @throws when its JSON differs from the schema in the package.
 */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
): Promise<CommandResult> {
  const result = await new Promise<CommandResult>((resolve) => {
    const options = {
      env: { ...process.env, AGENTGRAPH_CONTROL_PLANE_URL: undefined, AGENTGRAPH_URL: undefined, ...env },
      cwd,
    };
    execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr, output: stdout + stderr });
    });
  });
  assertOutput(args, result.stdout);
  return result;
}

/** Starts a command that does not exit by itself, and yields its lines. It is stopped after the test. */
export function followCommand(args: readonly string[]): AsyncIterator<string> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return linesOf(child.stdout);
}

async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
