/** Symbolic links that the set-up keeps in place. */
import { lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes `link` a symbolic link to `target`, which is written relative to its folder. Whatever else is there goes. */
export async function pointTo(link, target) {
  if ((await readlink(link).catch(() => undefined)) === target) return;
  await mkdir(dirname(link), { recursive: true });
  if (await lstat(link).catch(() => undefined)) await rm(link, { recursive: true });
  await symlink(target, link).catch((error) => {
    if (error.code !== "EEXIST") throw error; // Another set-up linked it in the same moment.
  });
}
