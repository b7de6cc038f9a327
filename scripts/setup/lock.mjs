/**
 * Serializes work between processes with a lock file, whose holder updates its time regularly.
 *
 * A killed holder leaves its file behind. The lock is stale if its process no longer exists (same machine), or if the file
 * was not updated for a minute (another machine, a container, a reused process ID).
 */
import { readFileSync, rmSync, utimesSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { step } from "./step.mjs";

const FRESHEN = 10_000;
const ABANDONED = 60_000;
const LOOK_AGAIN = 200;

/** Runs `work` while no other process does so under the same lock file. */
export async function withLock(file, what, work) {
  await mkdir(dirname(file), { recursive: true });
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now() });
  if (!(await take(file, mine))) {
    await step(what, "waiting for another run", () => takeSoon(file, mine));
  }
  const beat = setInterval(() => freshen(file), FRESHEN).unref();
  const release = () => releaseNow(file, mine);
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
}

async function takeSoon(file, mine) {
  while (!(await take(file, mine))) await sleep(LOOK_AGAIN);
}

async function take(file, mine) {
  try {
    await writeFile(file, mine, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const theirs = await readFile(file, "utf8").catch(() => undefined);
  if (theirs !== undefined && (await abandoned(file, theirs))) await sweep(file, theirs);
  return false;
}

async function abandoned(file, theirs) {
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (age > ABANDONED) return true;
  try {
    const { pid, host } = JSON.parse(theirs);
    return host === hostname() && !alive(pid);
  } catch {
    return false; // The file is being written.
  }
}

/** Whether a process with this ID is running on this machine. */
export function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Removes a stale lock, and restores it if another process has just replaced it. */
async function sweep(file, judged) {
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, "utf8")) !== judged) await link(aside, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function freshen(file) {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Another process removed the lock while this machine slept. Both continue safely, since results are renamed into place.
  }
}

function releaseNow(file, mine) {
  try {
    if (readFileSync(file, "utf8") === mine) rmSync(file);
  } catch {
    // Already removed.
  }
}
