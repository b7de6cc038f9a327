/**
 * Makes `npx agentgraph` and `npx agentgraph-emulator` work in the checkout, and links the package in each example,
 * which is a separate project. npm does not link commands of the root package, and links those of a workspace only if
 * their files exist at installation, before the first build. Without the links, npx would download an unrelated package
 * of that name.
 */
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ROOT, tool } from "./paths.mjs";

/** Links every command of the package and of the emulator, which must be built. */
export async function linkCommands() {
  for (const folder of ["", "emulator"]) {
    const { bin } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8"));
    for (const [name, file] of Object.entries(bin)) {
      const target = join(ROOT, folder, file);
      await chmod(target, 0o755);
      await pointTo(tool(name), target);
    }
  }
}

/** Links `node_modules/pulumi-agentgraph` of every example to the checkout. */
export async function linkExamples() {
  const examples = join(ROOT, "examples");
  for (const name of await readdir(examples).catch(() => []))
    if (existsSync(join(examples, name, "package.json")))
      await pointTo(join(examples, name, "node_modules", "pulumi-agentgraph"), ROOT);
}

/** Makes `link` a relative symbolic link to `target`. Replaces any existing file. */
async function pointTo(link, target) {
  const path = relative(dirname(link), target);
  if ((await readlink(link).catch(() => undefined)) === path) return;
  await mkdir(dirname(link), { recursive: true });
  if (await lstat(link).catch(() => undefined)) await rm(link, { recursive: true });
  await symlink(path, link).catch((error) => {
    if (error.code !== "EEXIST") throw error; // Another set-up created the link at the same time.
  });
}
