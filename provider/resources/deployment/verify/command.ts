/** A check that runs a command on the machine that runs Pulumi. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, extname, isAbsolute, resolve } from "node:path";
import { truncate } from "../../../text/format";
import { tryOr } from "../../../text/try-or";
import { UserError } from "../../../text/user-error";
import type { CommandCheck } from "../schema/verify";
import { type CheckRun, type Mismatch, within } from "./check-run";

/** Characters of output that are kept, the lines that an error shows, and the characters of each. */
const [MAX_OUTPUT, MAX_LINES, MAX_LINE] = [64 * 1024, 10, 180];

/** Names of variables whose values are secret, also those that no program has marked. */
const SECRET = /secret|token|passw|passphrase|credential|auth|key/i;

/** Runs a command once. Its process and all that it started have ended then. */
export async function runCommand(
  { args: [name = "", ...args], environment = {}, inherit = [] }: CommandCheck,
  { live, ctx }: CheckRun,
  timeout: { ms: number; text: string },
): Promise<Mismatch | undefined> {
  const inherited = inherit.map((variable) => [variable, process.env[variable]]);
  const facts = { AGENT_URL: live.url, AGENT_DEPLOYMENT_ID: live.id, AGENT_REVISION_ID: live.activeRevisionId };
  const given = [...inherited, ...Object.entries(facts), ...Object.entries(environment)];
  const variables = Object.fromEntries(given.filter(([, value]) => value != null));
  ctx.log.protect(Object.keys(variables).flatMap((key) => (SECRET.test(key) ? variables[key] : [])));
  const program = await findProgram(name);
  const output = new OutputEnd();
  const end = await within(ctx.clock, timeout.ms, async (signal) => {
    try {
      const child = start(program, args, variables);
      return await ctx.scope.get(RunningCommands).during(child, () => runToEnd(child, output, signal));
    } catch (error) {
      return `it could not be started: ${(error as Error).message}`;
    }
  });
  if (end === 0) return undefined;
  const how = end === undefined ? `no end within ${timeout.text}` : typeof end === "number" ? `exit code ${end}` : end;
  return { expected: "exit code 0", actual: [how, ...lastLines(ctx.log.redact(output.text))].join("\n") };
}

const lastLines = (output: string): string[] =>
  output
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.trim() !== "")
    .slice(-MAX_LINES)
    .map((line) => truncate(line, MAX_LINE));

/** In a separate process group, which ends with it. Windows has no groups. */
const start = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(program, args, {
    env,
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Waits for a process and all that it started, and ends them with the signal. @returns Exit code, or how it ended. */
async function runToEnd(child: ChildProcess, output: OutputEnd, signal: AbortSignal): Promise<number | string> {
  const stop = () => {
    killAll(child);
    // Those that have left the group may keep it open.
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", output.add);
  signal.addEventListener("abort", stop);
  const closed = once(child, "close").catch(() => undefined);
  try {
    const [code, name] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    killAll(child);
    await closed;
    return code ?? `ended by ${name}`;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The commands of a run, which end with this process. */
class RunningCommands {
  private readonly children = new Set<ChildProcess>();

  async during<T>(child: ChildProcess, act: () => Promise<T>): Promise<T> {
    if (this.children.size === 0) this.listen();
    this.children.add(child);
    try {
      return await act();
    } finally {
      this.children.delete(child);
      if (this.children.size === 0) this.close();
    }
  }

  private listen(): void {
    process.on("exit", this.killAll);
    for (const signal of SIGNALS) process.on(signal, this.passOn);
  }

  private close(): void {
    process.off("exit", this.killAll);
    for (const signal of SIGNALS) process.off(signal, this.passOn);
  }

  private readonly killAll = (): void => {
    for (const child of this.children) killAll(child);
  };

  private readonly passOn = (signal: NodeJS.Signals): void => {
    this.killAll();
    this.close();
    // Unless others handle the signal.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
}

function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true });
    return;
  }
  // It throws if none of them is left.
  tryOr(() => process.kill(-pid, "SIGKILL"), undefined);
}

class OutputEnd {
  private kept = "";
  private isCut = false;

  readonly add = (text: string): void => {
    this.kept += text;
    this.isCut ||= this.kept.length > MAX_OUTPUT;
    this.kept = this.kept.slice(-MAX_OUTPUT);
  };

  /** Without the line that begins before it: what is left of it may begin with half of a secret. */
  get text(): string {
    return this.isCut ? this.kept.replace(/^[^\n]*/, "") : this.kept;
  }
}

const isWindows = process.platform === "win32";

/** Returns the path of a program: a relative one, or a name in Pulumi's own PATH. @throws UserError for none. */
export async function findProgram(name: string, { PATH = "", PATHEXT = ".EXE;.COM" } = process.env): Promise<string> {
  const isPath = isWindows ? /[\\/]/.test(name) : name.includes("/");
  const folders = isPath ? [""] : PATH.split(delimiter).filter(isAbsolute);
  const endings = isWindows && extname(name) === "" ? PATHEXT.split(";") : [""];
  for (const folder of folders)
    for (const ending of endings) {
      const path = resolve(folder, name + ending);
      if (await isExecutable(path)) return assertNoScript(path);
    }
  const where = isPath ? "is not an executable file in the program's folder" : "is not in the PATH of Pulumi";
  throw new UserError(
    `The program of a command in verify cannot be run: ${JSON.stringify(name)} ${where}. Correct the ` +
      "path, or install the program.",
  );
}

const isExecutable = (path: string): Promise<boolean> =>
  Promise.all([stat(path), access(path, constants.X_OK)]).then(
    ([found]) => found.isFile(),
    () => false,
  );

/** Windows runs batch files only in a shell. */
function assertNoScript(path: string): string {
  if (!isWindows || !/\.(bat|cmd)$/i.test(path)) return path;
  throw new UserError(
    `The program of a command in verify cannot be run: ${path} needs a shell. Name a program instead.`,
  );
}
