/** The cache outside the repository: what is in it is complete, and two set-ups at once make it only once. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { cacheRoot } from "./paths.mjs";

/** Whether the cache holds this entry, and where it is if so. */
export function cached(name) {
  const home = join(cacheRoot(), name);
  return existsSync(home) ? home : undefined;
}

/**
 * The folder of a cache entry. One that is missing is filled by `fill(folder)` under a temporary name and put in place
 * by one rename, so that an interrupted set-up never leaves half an entry behind.
 */
export async function inCache(name, what, fill) {
  const home = join(cacheRoot(), name);
  if (existsSync(home)) return home;
  return withLock(`${home}.lock`, what, async () => {
    if (existsSync(home)) return home;
    await removeLeftovers(home);
    const draft = `${home}.draft-${process.pid}`;
    try {
      await mkdir(draft, { recursive: true });
      await fill(draft);
      await putInPlace(draft, home);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return home;
  });
}

/** Drafts of killed set-ups: whoever holds the lock is the only one at work. */
async function removeLeftovers(home) {
  for (const name of await readdir(dirname(home))) {
    if (name.startsWith(`${basename(home)}.draft-`))
      await rm(join(dirname(home), name), { recursive: true, force: true });
  }
}

async function putInPlace(draft, home) {
  try {
    await rename(draft, home);
  } catch (error) {
    if (!existsSync(home)) throw error; // Else another set-up was first; its entry is as good.
  }
}
