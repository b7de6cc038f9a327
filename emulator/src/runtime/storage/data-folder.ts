import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorCode, UsageError } from "../errors";

/** Temporary folders are named after their process: `agentgraph-emulator-<pid>-<random>`. */
const prefix = "agentgraph-emulator-";

/** Where an emulator keeps everything, for as long as it runs for it alone. */
export interface Folder {
  path: string;
  /** Lets others have it; a temporary one is removed. */
  release(): void;
}

/** Takes the folder of `--data`, or a private temporary one. Throws UsageError when it cannot be had. */
export function takeFolder(data: string | undefined): Folder {
  if (data !== undefined) {
    makeFolder(data);
    const lock = takeLock(data);
    if (lock) return { path: data, release: () => lock.close() };
    throw new UsageError(`Another emulator uses the folder ${data}: stop it, or choose another one with --data.`);
  }
  sweep();
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const lock = takeLock(path);
  return {
    path,
    release() {
      lock?.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** For this user alone, since the secrets of deployments are in it. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The folder ${folder} cannot be made: ${why}. Choose another one with --data.`);
  }
}

/**
 * One emulator a folder: a transaction held open on a file of its own, since the data itself is also read by the workers
 * of exports. The kernel frees it however the process ends. Undefined when another one holds it.
 */
function takeLock(folder: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(join(folder, "lock.sqlite"));
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes("locked")) return undefined;
    throw error;
  }
}

/** Removes the temporary folders of processes that ended without doing so. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (!(pid > 0) || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    try {
      // A process of another container has no id here, but holds its lock.
      const lock = takeLock(folder);
      if (!lock) continue;
      rmSync(folder, { recursive: true, force: true });
      lock.close();
    } catch {
      // Another user's, or swept by another emulator at this moment: not ours to remove.
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
