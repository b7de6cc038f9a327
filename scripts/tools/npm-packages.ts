/**
 * Provides npm packages that only one command needs, so that `npm ci` does not install them: Stryker, VitePress, other
 * providers.
 */
import { createHash } from "node:crypto";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inCache } from "../setup/cache.mjs";
import { toolchainOf } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

export const ensureStryker = (env: NodeJS.ProcessEnv) => ensurePackages("Stryker", "mutation", env);
export const ensureVitePress = (env: NodeJS.ProcessEnv) => ensurePackages("VitePress", "docs", env);
export const ensureProviders = (env: NodeJS.ProcessEnv) => ensurePackages("Providers", "providers", env);

/** Returns the folder of the packages in toolchain/<folder>/package-lock.json: cached, or installed from npm. */
async function ensurePackages(what: string, folder: string, env: NodeJS.ProcessEnv) {
  const source = toolchainOf(folder);
  const digest = createHash("sha256").update(await readFile(join(source, "package-lock.json")));
  const name = `${what.toLowerCase()}-${digest.digest("hex").slice(0, 12)}`;
  const home = await inCache(name, what, (draft) => install(what, source, draft, env));
  return join(home, "node_modules");
}

function install(what: string, source: string, draft: string, env: NodeJS.ProcessEnv) {
  return step(what, "installing it from npm (once)", async () => {
    for (const file of ["package.json", "package-lock.json"]) await copyFile(join(source, file), join(draft, file));
    const args = ["ci", "--prefix", draft, "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", args, { cwd: draft, env, failed: `npm could not install ${what}` });
  });
}
