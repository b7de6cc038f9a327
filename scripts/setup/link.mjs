/** Symbolic links of the set-up. */
import { lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes `link` a symbolic link to `target`, a path relative to its folder. Replaces any existing file. */
export async function pointTo(link, target) {
  if ((await readlink(link).catch(() => undefined)) === target) return;
  await mkdir(dirname(link), { recursive: true });
  if (await lstat(link).catch(() => undefined)) await rm(link, { recursive: true });
  await symlink(target, link).catch((error) => {
    if (error.code !== "EEXIST") throw error; // Another set-up created the link at the same time.
  });
}
