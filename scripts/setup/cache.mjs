/** A cache outside the repository. Entries are always complete, and concurrent set-ups create an entry only once. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { cacheRoot } from "./paths.mjs";

/** Runs `work` with a new folder, which is removed afterwards. */
export async function inTemporaryFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns a hash of what files contain, for the name of a cache entry. */
export async function digestOf(...files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(file));
  return hash.digest("hex").slice(0, 12);
}

/** Returns the folder of a cache entry; undefined if it does not exist. */
export function cached(name) {
  const home = join(cacheRoot(), name);
  return existsSync(home) ? home : undefined;
}

/**
 * Returns the folder of a cache entry. A missing entry is created by `fill(folder)` under a temporary name and then
 * renamed, so that an interrupted set-up never leaves an incomplete entry.
 * @param {string} name
 * @param {string} what
 * @param {(draft: string) => Promise<unknown>} fill
 * @returns {Promise<string>}
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

/** Removes temporary folders of killed set-ups; the lock guarantees that no other set-up uses them. */
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
    if (!existsSync(home)) throw error; // Otherwise another set-up created the same entry first.
  }
}
