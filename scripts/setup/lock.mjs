/**
 * Serializes work between processes with a lock file, whose holder updates its time regularly.
 *
 * A killed holder leaves its file behind. The lock is stale if its process no longer exists (same machine), or if the
 * file was not updated for a minute (another machine, a container, a reused process ID).
 */
import { readFileSync, rmSync, utimesSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
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
  const otherContent = await readFile(file, "utf8").catch(() => undefined);
  if (otherContent !== undefined && (await isStale(file, otherContent))) await removeStale(file, otherContent);
  return false;
}

async function isStale(file, otherContent) {
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > STALE_MS) return true;
  try {
    const { pid, host } = JSON.parse(otherContent);
    return host === hostname() && !isAlive(pid);
  } catch {
    return false; // The file is being written.
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

/** Removes a stale lock, and restores it if another process has just replaced it. */
async function removeStale(file, staleContent) {
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, "utf8")) !== staleContent) await link(aside, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function refresh(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Another process removed the lock while this machine slept. Both continue: results are renamed into place.
  }
}

function releaseLock(file, content) {
  try {
    if (readFileSync(file, "utf8") === content) rmSync(file);
  } catch {
    // Already removed.
  }
}
