/** Paths, and lookup of programs on PATH. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Root folder of the checkout. */
export const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");

/** Private files of the checkout, ignored by git: state of the quickstart, data of the emulator, locks. */
export const PRIVATE = join(ROOT, ".agentgraph");

/** Returns the cache folder of all checkouts of a user: AGENTGRAPH_CACHE, or one in the user's cache. */
export function cacheRoot(env = process.env) {
  if (env.AGENTGRAPH_CACHE) return resolve(env.AGENTGRAPH_CACHE);
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-agentgraph");
}

/** Such as "linux-x64". Part of cache names, since different machines may share a home folder. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Returns the folder in toolchain/ with the versions of a tool; in toolchain/optional/ for those that neither `npm
 * test` nor a release needs. @param {string} name
 */
export function toolchainOf(name) {
  const folder = join(ROOT, "toolchain", name);
  return existsSync(folder) ? folder : join(ROOT, "toolchain", "optional", name);
}

/** Returns the path of a tool in node_modules. @param {string} name */
export const tool = (name) => join(ROOT, "node_modules", ".bin", name);

/**
 * Returns the absolute path of the first program of this name on PATH.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function which(name, env = process.env) {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const file = resolve(folder, name);
    if (folder && executable(file)) return file;
  }
  return undefined;
}

/** Whether a file exists and is executable. */
export function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
