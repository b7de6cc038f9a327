/** Where things are, and finding a program on PATH. */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");

/** What a checkout keeps for itself (ignored by git): the quickstart's state, the emulator's data, locks. */
export const PRIVATE = join(ROOT, ".agentgraph");

/** What all checkouts of a user share: Node and the Pulumi CLI. AGENTGRAPH_CACHE names another folder. */
export function cacheRoot(env = process.env) {
  if (env.AGENTGRAPH_CACHE) return resolve(env.AGENTGRAPH_CACHE);
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-agentgraph");
}

/** "linux-x64": a home folder may be shared by machines that cannot run each other's programs. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/** A tool of the checkout's own node_modules. */
export const tool = (name) => join(ROOT, "node_modules", ".bin", name);

/** The first program of this name on a PATH, as an absolute path. */
export function which(name, env = process.env) {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const file = resolve(folder, name);
    if (folder && executable(file)) return file;
  }
  return undefined;
}

/** Whether this file is there and may be run. */
export function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
