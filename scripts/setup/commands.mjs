/**
 * Makes `npx agentgraph` and `npx agentgraph-emulator` work in the checkout and below. npm links no command of the root
 * package, and that of a workspace only if its file exists when npm installs, which is before the first build; npx would
 * then ask the registry for a stranger's package of that name.
 */
import { chmod, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pointTo } from "./link.mjs";
import { ROOT, tool } from "./paths.mjs";

/** Links every command of the package and of the emulator, which have to be built. */
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
