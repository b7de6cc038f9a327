import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import type { Socket } from "node:net";
import { delimiter, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { argumentOf, parts } from "../parts";
import { logError } from "../text/printable";
import { CommandError } from "./commands";
import { killGroup } from "./kill-group";
import { causeOf, LineReader, levelOf, type Redactor } from "./output";

/** Milliseconds that children have after their parent ended, and that the system has to deliver the last output. */
const leftoverMs = 500;

/** Milliseconds between SIGTERM and SIGKILL when the emulator stops. */
const shutdownMs = 3000;

/** A line that a process printed. */
export interface OutputLine {
  level: "INFO" | "WARNING" | "ERROR";
  message: string;
}

/** A program to start. */
export interface Launch {
  argv: readonly string[];
  folder: string;
  environment: Readonly<Record<string, string>>;
}

/** The processes of agents, each in a separate group that ends as a whole, and with the emulator. */
export class Processes {
  private readonly running = new Set<AgentProcess>();
  private watchdog: ChildProcess | undefined;
  private stopped = false;

  /** Starts a program. @throws CommandError if it cannot be started. */
  async start(launch: Launch, redact: Redactor, onLine: (line: OutputLine) => void): Promise<AgentProcess> {
    if (this.stopped) throw new CommandError("The emulator is being stopped");
    const started = new AgentProcess(launch, redact, onLine);
    const { pid } = started;
    if (pid !== undefined) {
      this.running.add(started);
      this.tellWatchdog(`add ${pid}`);
      void started.exited.then(() => {
        this.running.delete(started);
        this.tellWatchdog(`remove ${pid}`);
      });
    }
    await started.spawned;
    return started;
  }

  /** Ends all processes. */
  async stop(): Promise<void> {
    this.stopped = true;
    const killing = setTimeout(() => {
      for (const { pid } of this.running) if (pid !== undefined) killGroup(pid, "SIGKILL");
    }, shutdownMs);
    await Promise.all([...this.running].map((process) => process.end(shutdownMs)));
    clearTimeout(killing);
    this.watchdog?.stdin?.end();
  }

  private tellWatchdog(line: string): void {
    const { watchdog } = this;
    if (watchdog && watchdog.exitCode === null && watchdog.signalCode === null) watchdog.stdin?.write(`${line}\n`);
    else this.startWatchdog();
  }

  private startWatchdog(): void {
    const watchdog = spawn(process.execPath, [argumentOf(parts.watchdog)], {
      detached: true,
      windowsHide: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.watchdog = watchdog;
    watchdog.on("error", (error) => logError(error));
    watchdog.stdin.on("error", () => {});
    watchdog.unref();
    (watchdog.stdin as Socket).unref();
    for (const { pid } of this.running) watchdog.stdin.write(`add ${pid}\n`);
  }
}

/** How a process ended. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}

/** A running program and all processes that it starts. */
export class AgentProcess {
  readonly pid: number | undefined;
  /** Rejects with a CommandError if the program cannot be started. */
  readonly spawned: Promise<void>;
  /** Resolves once no process is left and the output was read. */
  readonly exited: Promise<Exit>;
  /** The last line of its error output that can be the cause of its end. */
  lastError: string | undefined;
  /** Whether its own process is alive. */
  isAlive = true;
  private ending: Promise<void> | undefined;

  constructor({ argv, folder, environment }: Launch, redact: Redactor, onLine: (line: OutputLine) => void) {
    const [program = "", ...args] = argv;
    const child = spawnAgent(findProgram(program, environment.PATH), args, { folder, environment });
    this.pid = child.pid;
    readLines(child.stdout, new LineReader(redact, (message) => onLine({ level: "INFO", message })));
    const onError = (message: string) => {
      this.lastError = causeOf(message, this.lastError);
      onLine({ level: levelOf(message), message });
    };
    readLines(child.stderr, new LineReader(redact, onError));
    this.spawned = new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error: NodeJS.ErrnoException) => reject(explainSpawnError(error, program, folder)));
    });
    this.exited = this.untilExit(child);
  }

  /** Returns how it ended; undefined once the signal says to wait no longer. */
  exitBefore(signal: AbortSignal): Promise<Exit | undefined> {
    const waiting = sleep(2 ** 31 - 1, undefined, { signal, ref: false }).catch(() => {});
    return Promise.race([this.exited, waiting as Promise<undefined>]);
  }

  /** Asks all its processes to end, and kills those that are left after the time. */
  end(graceMs: number): Promise<void> {
    this.ending ??= this.endWithin(graceMs);
    return this.ending;
  }

  private async endWithin(graceMs: number): Promise<void> {
    if (this.pid === undefined || !killGroup(this.pid, "SIGTERM")) return;
    const timeout = new AbortController();
    await Promise.race([this.exited, sleep(graceMs, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
    killGroup(this.pid, "SIGKILL");
    await this.exited;
  }

  private async untilExit(child: ChildProcess): Promise<Exit> {
    const closed = once(child, "close").catch(() => {});
    const [code, signal] = (await once(child, "exit").catch(() => [null, null])) as [
      number | null,
      NodeJS.Signals | null,
    ];
    this.isAlive = false;
    if (this.pid === undefined) return { code, signal };
    // Those that were asked to end have a moment for it.
    if (this.ending && killGroup(this.pid, 0)) await Promise.race([closed, sleep(leftoverMs)]);
    killGroup(this.pid, "SIGKILL");
    await Promise.race([closed, sleep(leftoverMs)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    return { code, signal };
  }
}

function spawnAgent(program: string, args: readonly string[], { folder, environment }: Omit<Launch, "argv">) {
  try {
    return spawn(program, args, {
      cwd: folder,
      env: { ...environment },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    // Such as variables that are too long for the system.
    throw new CommandError(`Could not start ${program}: ${error instanceof Error ? error.message : error}`);
  }
}

function readLines(stream: Readable, reader: LineReader): void {
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => reader.write(text));
  stream.on("close", () => reader.end());
  stream.on("error", () => {});
}

/**
 * Finds a program by the search path that the operator set, else by that of the emulator. Relative folders are skipped:
 * they would be those of the source, which a request uploads. @throws CommandError
 */
function findProgram(program: string, path = process.env.PATH ?? ""): string {
  if (program.includes("/") || process.platform === "win32") return program;
  const candidates = path.split(delimiter).filter(isAbsolute);
  const found = candidates.map((folder) => join(folder, program)).find(isExecutable);
  if (found === undefined) throw new CommandError(`Could not start ${program}: ${NO_PROGRAM}`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const NO_PROGRAM = "there is no such program. Check its name and PATH";

function explainSpawnError(error: NodeJS.ErrnoException, program: string, folder: string): CommandError {
  if (error.code !== "ENOENT") return new CommandError(`Could not start ${program}: ${error.message}`);
  if (!existsSync(folder)) return new CommandError(`Could not start ${program}: the folder ${folder} does not exist`);
  return new CommandError(`Could not start ${program}: ${NO_PROGRAM}`);
}
