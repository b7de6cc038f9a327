/**
 * Makes `npx agentgraph` and `npx agentgraph-emulator` work in the checkout. npm does not link commands of the root
 * package, and links those of a workspace only if their files exist at installation, before the first build. Without
 * the links, npx would download an unrelated package of that name.
 */
import { chmod, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pointTo } from "./link.mjs";
import { ROOT, tool } from "./paths.mjs";

/** Links every command of the package and of the emulator, which must be built. */
export async function linkCommands() {
  for (const folder of ["", "emulator"]) {
    const { bin } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8"));
    for (const [name, file] of Object.entries(bin)) {
      const target = join(ROOT, folder, file);
      await chmod(target, 0o755);
      await pointTo(tool(name), relative(dirname(tool(name)), target));
    }
  }
}
