/** Runs `npm ci` if the installed packages differ from package-lock.json. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { PRIVATE, ROOT } from "./paths.mjs";
import { run } from "./run.mjs";
import { step } from "./step.mjs";

/** Installs the dependencies of the checkout. `env` has the required Node first on its PATH. */
export async function ensureDependencies(env) {
  if (!(await outdatedReason())) return;
  await withLock(join(PRIVATE, "setup.lock"), "Dependencies", async () => {
    const why = await outdatedReason();
    if (!why) return;
    await step("Dependencies", `npm ci (${why})`, () =>
      run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: ROOT, env, failed: "npm ci failed" }),
    );
  });
}

/**
 * Returns why the dependencies must be installed; undefined if they are complete. npm writes a record of node_modules
 * at the end of an installation, which reveals an interrupted installation or a changed lock file.
 */
async function outdatedReason() {
  const expected = await packages(join(ROOT, "package-lock.json"));
  const installed = await packages(join(ROOT, "node_modules", ".package-lock.json")).catch(() => undefined);
  if (!installed) return "node_modules is missing or incomplete";
  for (const [path, { version, integrity, optional }] of Object.entries(expected)) {
    const actual = installed[path];
    if (path === "" || (!actual && optional)) continue;
    if (actual?.version !== version || actual?.integrity !== integrity) return `package-lock.json changed (${path})`;
  }
  return undefined;
}

async function packages(file) {
  return JSON.parse(await readFile(file, "utf8")).packages;
}
