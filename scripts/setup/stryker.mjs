/** Provides Stryker, which only `npm run mutation` needs: cached, or installed from npm. */
import { createHash } from "node:crypto";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "./cache.mjs";
import { ROOT } from "./paths.mjs";
import { run } from "./run.mjs";
import { step } from "./step.mjs";

const MODULE = join(ROOT, "toolchain", "mutation");

/** Returns the folder of the packages in toolchain/mutation/package-lock.json. */
export async function ensureStryker(env) {
  const digest = createHash("sha256").update(await readFile(join(MODULE, "package-lock.json")));
  const name = `stryker-${digest.digest("hex").slice(0, 12)}`;
  const home = await inCache(name, "Stryker", (draft) => install(draft, env));
  return join(home, "node_modules");
}

function install(draft, env) {
  return step("Stryker", "installing it from npm (once)", async () => {
    for (const file of ["package.json", "package-lock.json"]) await copyFile(join(MODULE, file), join(draft, file));
    const args = ["ci", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", args, { cwd: draft, env, failed: "npm could not install Stryker" });
  });
}
