/** Runs the Pulumi CLI as users do, and returns its output, exit code and engine events. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { waitUntil } from "../wait-until";
import { descendantsOf, killAll, type ProcessInfo } from "./processes";

/** How a command ended. */
export interface CommandResult {
  code: number | null;
  /** Standard output and standard error in one text, without colors. */
  output: string;
  /** The engine's events without debug messages, which the CLI shows only with `--debug`. */
  events: EngineEvent[];
}

/** Returns the result of a command, which must succeed. */
export async function succeeds(command: Promise<CommandResult>): Promise<CommandResult> {
  const result = await command;
  expect(result).toMatchObject({ code: 0 });
  return result;
}

/** Returns the result of a command, which must fail. */
export async function fails(command: Promise<CommandResult>): Promise<CommandResult> {
  const result = await command;
  expect(result.code).not.toBe(0);
  return result;
}

export interface Command {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Where the engine writes its events, for the commands that run it. */
  eventLog?: string;
}

/** A command in progress. */
export class RunningCommand {
  private readonly child: ChildProcess;
  /** Resolves when the command has ended. */
  readonly exited: Promise<unknown[]>;
  /** Resolves when all output is read. Created at once, since a command may end before anything waits for it. */
  private readonly closed: Promise<unknown[]>;
  private text = "";

  constructor(private readonly command: Command) {
    const { args, cwd, env, eventLog } = command;
    const log = eventLog ? ["--event-log", eventLog] : [];
    // A process group of its own, as a shell gives it: Ctrl-C then reaches what a terminal's would.
    this.child = spawn("pulumi", [...args, "--non-interactive", "--color=never", ...log], {
      cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        this.text += chunk;
      });
    }
    this.exited = once(this.child, "exit");
    this.closed = once(this.child, "close");
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The output so far. */
  get output(): string {
    return this.text;
  }

  /** Waits until the output contains this text. @throws When the command ends without it. */
  async waitForOutput(text: string): Promise<void> {
    await waitUntil(
      () => this.text.includes(text) || this.child.exitCode !== null,
      () => `"${text}" in:\n${this.text}`,
    );
    if (!this.text.includes(text)) throw new Error(`The command ended without saying "${text}":\n${this.text}`);
  }

  /** Sends SIGINT to the process group, as a terminal does on Ctrl-C. */
  pressCtrlC(): void {
    process.kill(-(this.child.pid ?? 0), "SIGINT");
  }

  /** Returns the processes that the CLI started. */
  processes(): Promise<ProcessInfo[]> {
    return descendantsOf(this.child.pid);
  }

  /** Sends SIGKILL to the CLI alone. @returns The processes that it started, which no one ends before `endOrphans`. */
  async kill(): Promise<ProcessInfo[]> {
    // Stopped first, since children that it starts after they are listed would be missed.
    this.child.kill("SIGSTOP");
    const processes = await this.processes();
    orphans.push(...processes);
    this.child.kill("SIGKILL");
    await this.exited;
    return processes;
  }

  /** Waits until the command has ended and all its output is read. */
  async waitForExit(): Promise<CommandResult> {
    await this.closed;
    const { eventLog } = this.command;
    return {
      code: this.child.exitCode,
      output: this.text,
      events: eventLog ? parseEvents(await readFile(eventLog, "utf8").catch(() => "")) : [],
    };
  }
}

/** The processes that killed commands left running. */
const orphans: ProcessInfo[] = [];

export function endOrphans(): void {
  killAll(orphans.splice(0));
}

function parseEvents(text: string): EngineEvent[] {
  const events: EngineEvent[] = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return events.filter((event) => !event.diagnosticEvent?.prefix?.startsWith("debug"));
}
