/** The Pulumi CLI as a person runs it: what it says, how it ends, and the engine's events beside it. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { waitUntil } from "./wait-until";

/** How a command ended. */
export interface CommandResult {
  code: number | null;
  /** All it wrote, to either stream, without colours. */
  output: string;
  /** What the engine told; debug lines, which no display shows without `--debug`, are left out. */
  events: EngineEvent[];
}

export interface Command {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Where the engine writes its events, for the commands that run it. */
  eventLog?: string;
}

/** A command that still runs. */
export class RunningCommand {
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown[]>;
  /** That all it wrote is read; asked for from the beginning, since a command may end before anybody waits for it. */
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

  /** Until it has written this. */
  async waitForOutput(text: string): Promise<void> {
    await waitUntil(
      () => this.text.includes(text) || this.child.exitCode !== null,
      () => `"${text}" in:\n${this.text}`,
    );
    if (!this.text.includes(text)) throw new Error(`The command ended without saying "${text}":\n${this.text}`);
  }

  /** Ctrl-C, as the terminal sends it: to all that runs in the foreground. */
  pressCtrlC(): void {
    process.kill(-(this.child.pid ?? 0), "SIGINT");
  }

  /** kill -9 of the CLI alone: what it started lives on, as it does on a user's machine, until `endOrphans`. */
  async kill(): Promise<void> {
    // Stopped first, since what it starts after the look would be nobody's.
    this.child.kill("SIGSTOP");
    orphans.push(...(await childrenOf(this.child.pid)));
    this.child.kill("SIGKILL");
    await this.exited;
  }

  /** Until it has ended and all it wrote is read. */
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

/** Leaders of the process groups that killed commands left behind. */
const orphans: number[] = [];

export function endOrphans(): void {
  for (const leader of orphans.splice(0)) {
    try {
      process.kill(-leader, "SIGKILL");
    } catch {
      // It had ended by itself.
    }
  }
}

async function childrenOf(parent = 0): Promise<number[]> {
  // Where there is no `ps`, they are left to the machine.
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]).catch(() => ({ stdout: "" }));
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []));
}

function parseEvents(text: string): EngineEvent[] {
  const events: EngineEvent[] = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return events.filter((event) => !event.diagnosticEvent?.prefix?.startsWith("debug"));
}
