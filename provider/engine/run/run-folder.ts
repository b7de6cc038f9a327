/**
 * Lines that the processes of one run exchange through files: the engine starts a process for each provider of the
 * program, and all of them know its address. Each process appends to a separate file and reads those of the others.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { tryOr } from "../../text/try-or";

/** After this time without a write, the files of a run without processes are deleted. */
const KEPT_FOR_MS = 60 * 60_000;
/** The same where its processes, of another container or machine, cannot be seen. No run is this long. */
const KEPT_ELSEWHERE_FOR_MS = 7 * 24 * 60 * 60_000;

export interface RunLine {
  /** The process that wrote it. */
  process: string;
  text: string;
}

export class RunFolder {
  private readonly path: string;
  /** Files of processes that had ended before this one joined: another run had the same address. */
  private ended: ReadonlySet<string> | undefined;
  /** By process: how much of its file was read. */
  private readonly offsets = new Map<string, number>();

  /**
   * @param address The address of the engine, which no two runs at the same time and place share.
   * @param base A folder that only this user can read.
   * @param process A unique name that begins with the process ID: a process to which engines attach serves several
   *   providers.
   * @param place Where the address and the process ID mean something: containers may share the folder.
   */
  constructor(
    address: string,
    private readonly base = userFolder(),
    private readonly process = `${globalThis.process.pid}-${randomUUID()}`,
    private readonly place = currentPlace(),
  ) {
    this.path = join(base, `${address.replace(/[^\w.-]/g, "_")}@${place}`);
  }

  /** Whether the folder can be used, so that other processes can use it, too. */
  get isJoined(): boolean {
    return this.ended !== undefined;
  }

  /** Appends a line for the other processes. @throws Error when the file cannot be written. */
  append(text: string): void {
    this.join();
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    appendFileSync(join(this.path, this.process), `${text}\n`, { mode: 0o600 });
  }

  /** Returns the lines of the other processes since the last call. @throws Error when they cannot be read. */
  read(): RunLine[] {
    const ended = this.join();
    const names = this.files().filter((name) => name !== this.process && !ended.has(name));
    return names.flatMap((name) => this.readFile(name));
  }

  /** @returns The files of processes that have ended. */
  private join(): ReadonlySet<string> {
    if (this.ended) return this.ended;
    mkdirSync(this.base, { recursive: true, mode: 0o700 });
    assertPrivate(this.base);
    const others = readdirSync(this.base).map((name) => join(this.base, name));
    // Another process of this run may be about to use the own one.
    for (const folder of others) {
      const keptForMs = folder.endsWith(`@${this.place}`) ? KEPT_FOR_MS : KEPT_ELSEWHERE_FOR_MS;
      if (folder !== this.path) removeIfAbandoned(folder, keptForMs);
    }
    this.ended = new Set(this.files().filter((name) => !isRunning(name)));
    return this.ended;
  }

  /** Returns the files of all processes; most destroys have none. */
  private files(): string[] {
    return existsSync(this.path) ? readdirSync(this.path) : [];
  }

  private readFile(name: string): RunLine[] {
    const file = openSync(join(this.path, name), "r");
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

/** Returns a name of this machine since its start, and of this container: of its processes and its network. */
function currentPlace(): string {
  const parts = [
    () => hostname(),
    () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
    () => readlinkSync("/proc/self/ns/pid"),
    () => readlinkSync("/proc/self/ns/net"),
    // Only Linux has all of them, and containers.
  ].map((read) => tryOr(read, ""));
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}

/** Deletes the folder of a run that ended some time ago. */
function removeIfAbandoned(folder: string, keptForMs: number): void {
  try {
    // The age of files is in real time, whatever clock the provider uses.
    const isRecent = (path: string) => Date.now() - lstatSync(path).mtimeMs < keptForMs;
    // Most are recent, and a busy machine has many.
    if (isRecent(folder)) return;
    const names = readdirSync(folder);
    if (names.some((name) => isRunning(name) || isRecent(join(folder, name)))) return;
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another process deletes it at the same time.
  }
}

/** Whether the process that writes a file exists. */
function isRunning(name: string): boolean {
  try {
    process.kill(Number.parseInt(name, 10), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
