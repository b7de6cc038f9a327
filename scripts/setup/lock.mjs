/**
 * One run at a time where two would do the same work: a lock file, kept fresh by the one who holds it.
 *
 * A holder that was killed leaves its file behind. It counts as abandoned when its process is gone (same machine), or
 * when nobody has freshened it for a minute (another machine, a container, a process id used again).
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
    await step(what, "another run is at work on it, waiting for its end", () => takeSoon(file, mine));
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
    return false; // Being written this very moment.
  }
}

/** Whether a process with this id runs on this machine. */
export function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Takes an abandoned lock away, and puts it back when it turns out that another process has just renewed it. */
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
    // Swept by someone while this machine slept: both go on, and what they make is put in place by rename.
  }
}

function releaseNow(file, mine) {
  try {
    if (readFileSync(file, "utf8") === mine) rmSync(file);
  } catch {
    // Swept already.
  }
}
