/**
 * Serializes work between processes with a lock file, whose holder updates its time regularly.
 *
 * A killed holder leaves its file behind. The lock is stale if its process no longer exists (same machine), or if the
 * file was not updated for a minute (another machine, a container, a reused process ID).
 */
import { readFileSync, rmSync, utimesSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { step } from "./step.mjs";

const REFRESH_MS = 10_000;
const STALE_MS = 60_000;
const POLL_MS = 200;

/** Runs `work` while no other process does so under the same lock file. */
export async function withLock(file, what, work) {
  await mkdir(dirname(file), { recursive: true });
  const content = JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now() });
  if (!(await acquire(file, content))) await step(what, "waiting for another run", () => waitForLock(file, content));
  const timer = setInterval(() => refresh(file), REFRESH_MS).unref();
  const release = () => releaseLock(file, content);
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.off("exit", release);
    release();
  }
}

async function waitForLock(file, content) {
  while (!(await acquire(file, content))) await sleep(POLL_MS);
}

async function acquire(file, content) {
  try {
    await writeFile(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // Two processes may do so at the same time, and then both continue: results are renamed into place.
  if (await isStale(file)) await rm(file, { force: true });
  return false;
}

async function isStale(file) {
  try {
    if (Date.now() - (await stat(file)).mtimeMs > STALE_MS) return true;
    const { pid, host } = JSON.parse(await readFile(file, "utf8"));
    return host === hostname() && !isAlive(pid);
  } catch {
    return false; // The file was removed, or is being written.
  }
}

/** Whether a process with this ID is running on this machine. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function refresh(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Another process removed the lock while this machine slept.
  }
}

function releaseLock(file, content) {
  try {
    if (readFileSync(file, "utf8") === content) rmSync(file);
  } catch {
    // Already removed.
  }
}
