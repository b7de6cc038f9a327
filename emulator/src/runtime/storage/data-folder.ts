import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorCode, UsageError } from "../errors";

/** Temporary folders are named `agentgraph-emulator-<pid>-<random>`. */
const prefix = "agentgraph-emulator-";

/** The data folder of one running emulator. */
export interface DataFolder {
  path: string;
  /** Unlocks the folder; a temporary one is removed. */
  release(): void;
}

/** Locks the folder of `--data`, or a new temporary one. @throws UsageError if the folder cannot be used. */
export function acquireDataFolder(data: string | undefined): DataFolder {
  if (data !== undefined) {
    createFolder(data);
    const lock = acquireLock(data);
    if (lock) return { path: data, release: () => lock.close() };
    throw new UsageError(
      `Another emulator is using the data folder ${data}. Stop it, or choose another folder with --data.`,
    );
  }
  removeStaleFolders();
  const path = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const lock = acquireLock(path);
  return {
    path,
    release() {
      lock?.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Creates a folder that only this user can access, because it contains the secrets of deployments. */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Could not create the data folder ${folder}: ${cause}. Choose another folder with --data.`);
  }
}

/**
 * Locks a folder by a transaction held open on a separate file, because export workers also read the data file. The
 * kernel releases the lock however the process ends. Returns undefined if another emulator holds it.
 */
function acquireLock(folder: string): DatabaseSync | undefined {
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

/** Removes the temporary folders of killed processes. */
function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (!(pid > 0) || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    try {
      // The PID of a process in another container does not exist here, but that process holds its lock.
      const lock = acquireLock(folder);
      if (!lock) continue;
      // Windows does not remove an open file.
      lock.close();
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Belongs to another user, or another emulator is removing it.
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
