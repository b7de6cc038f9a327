/**
 * Lines that the processes of one run exchange through files: the engine starts a process for each provider of the
 * program, and all of them know its address. Each process appends to a separate file and reads those of the others.
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The engine may end a process before the run ends, and an address returns to another run only after much more. */
const CURRENT_FOR_MS = 15 * 60_000;
/** After this time, the files of a run without processes are deleted. */
const KEPT_FOR_MS = 24 * 60 * 60_000;

export interface RunLine {
  /** The process that wrote it. */
  process: string;
  text: string;
}

export class RunFolder {
  private readonly path: string;
  private ownFile: number | undefined;
  private isJoined = false;
  /** By process: how much of its file was read. */
  private readonly offsets = new Map<string, number>();

  /**
   * @param address The address of the engine, which no two runs at the same time share.
   * @param base A folder that only this user can read.
   * @param process A unique name that begins with the process ID: a process to which engines attach serves several providers.
   */
  constructor(
    address: string,
    private readonly base = userFolder(),
    private readonly process = `${globalThis.process.pid}-${randomUUID()}`,
  ) {
    this.path = join(base, address.replace(/[^\w.-]/g, "_"));
  }

  /** Appends a line for the other processes. @throws Error when the file cannot be written. */
  append(text: string): void {
    this.join();
    this.ownFile ??= openSync(this.fileOf(this.process), "a", 0o600);
    writeSync(this.ownFile, `${text}\n`);
  }

  /** Returns the lines of the other processes since the last call. @throws Error when they cannot be read. */
  read(): RunLine[] {
    this.join();
    return this.processes()
      .filter((name) => name !== this.process)
      .flatMap((name) => this.readFile(name));
  }

  /** Deletes what an ended run with the same address left, and the old files of other runs. */
  private join(): void {
    if (this.isJoined) return;
    mkdirSync(this.base, { recursive: true, mode: 0o700 });
    assertPrivate(this.base);
    for (const name of readdirSync(this.base)) removeIfEnded(join(this.base, name), KEPT_FOR_MS);
    removeIfEnded(this.path, CURRENT_FOR_MS);
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.isJoined = true;
  }

  private processes(): string[] {
    return readdirSync(this.path);
  }

  private readFile(name: string): RunLine[] {
    const file = openSync(this.fileOf(name), "r");
    try {
      const offset = this.offsets.get(name) ?? 0;
      const bytes = Buffer.alloc(fstatSync(file).size - offset);
      const count = readSync(file, bytes, 0, bytes.length, offset);
      // The last line may still be in the process of being written.
      const end = bytes.subarray(0, count).lastIndexOf("\n") + 1;
      this.offsets.set(name, offset + end);
      const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
      return lines.map((text) => ({ process: name, text }));
    } finally {
      closeSync(file);
    }
  }

  private fileOf(name: string): string {
    return join(this.path, name);
  }
}

const userFolder = () => join(tmpdir(), `pulumi-agentgraph-${process.getuid?.() ?? "user"}`);

/** @throws Error when other users could write to the folder. */
function assertPrivate(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const own = process.getuid?.();
  // Windows has neither, and its folder for temporary files belongs to the user.
  if (own === undefined) return;
  if (uid !== own || (mode & 0o077) !== 0) throw new Error(`other users have access to ${folder}`);
}

/** Deletes the folder of a run without processes, when nothing was written to it for some time. */
function removeIfEnded(folder: string, afterMs: number): void {
  try {
    const names = readdirSync(folder);
    const lastWrite = Math.max(
      ...[folder, ...names.map((name) => join(folder, name))].map((path) => lstatSync(path).mtimeMs),
    );
    // The age of files is in real time, whatever clock the provider uses.
    if (Date.now() - lastWrite < afterMs || names.some((name) => isRunning(Number.parseInt(name, 10)))) return;
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It does not exist, or another process deletes it at the same time.
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
