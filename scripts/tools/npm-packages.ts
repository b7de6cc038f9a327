/** npm packages that one command needs, so `npm ci` does not install them: Stryker, VitePress, other providers. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, inCache } from "../setup/cache.mjs";
import { toolchainOf } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

export const ensureStryker = (env: NodeJS.ProcessEnv) => ensurePackages("Stryker", "mutation", env);
export const ensureVitePress = (env: NodeJS.ProcessEnv) => ensurePackages("VitePress", "docs", env);
export const ensureProviders = (env: NodeJS.ProcessEnv) => ensurePackages("Providers", "providers", env);

/** Returns the folder of the packages in toolchain/<folder>/package-lock.json: cached, or installed from npm. */
async function ensurePackages(what: string, folder: string, env: NodeJS.ProcessEnv) {
  const source = toolchainOf(folder);
  const name = `${what.toLowerCase()}-${await digestOf(join(source, "package-lock.json"))}`;
  const home = await inCache(name, what, (draft) =>
    step(what, "installing it from npm (once)", () => installLocked(what, source, draft, env)),
  );
  return join(home, "node_modules");
}

/** Installs the packages of a lock file into another folder. */
export async function installLocked(what: string, source: string, folder: string, env: NodeJS.ProcessEnv) {
  for (const file of ["package.json", "package-lock.json"]) await copyFile(join(source, file), join(folder, file));
  const args = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", args, { cwd: folder, env, failed: `npm could not install ${what}` });
}
