/** `npm run mutation`: installs Stryker on demand and runs it with its own arguments (stryker.config.mjs). */
import { join } from "node:path";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { show } from "../setup/run.mjs";
import { ensureStryker } from "../tools/npm-packages.ts";

export async function main() {
  const { node, env } = await ready({ cli: false });
  const program = join(await ensureStryker(env), "@stryker-mutator/core/bin/stryker.js");
  return show(node, [program, "run", ...process.argv.slice(3)], { cwd: ROOT, env });
}
