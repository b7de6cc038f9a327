/** Compiles the package and the emulator to dist/, which some tests start. tsc compiles only what has changed. */
import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { PRIVATE, ROOT, tool } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { attempt } from "./run.mjs";

/** The folders of the output, with those of the sources. */
const OUTPUTS = { dist: ".", "emulator/dist": "emulator/src" };
const PAGE = "emulator/dist/page.html";
const SOURCES_OF_PAGE = ["emulator/page", "emulator/dist/runtime", "package-lock.json"];

/** Builds what is out of date. */
export function ensureBuild(env) {
  return withLock(join(PRIVATE, "setup.lock"), "Build", async () => {
    // Types take half of the time, and another check reports their errors.
    await compile(tool("tsc"), ["-b", "tsconfig.json", "emulator/tsconfig.json", "--noCheck"], env);
    for (const [dist, sources] of Object.entries(OUTPUTS)) await removeOthers(dist, sources);
    const changed = await Promise.all(SOURCES_OF_PAGE.map(lastChange));
    if (Math.max(...changed) > (await lastChange(PAGE)))
      await compile(process.execPath, ["emulator/page/build.mjs"], env);
  });
}

async function compile(program, args, env) {
  const { code, output } = await attempt(program, args, { cwd: ROOT, env });
  if (code !== 0)
    throw new Problem("The sources do not compile. Fix the errors above and run the same command again.", output);
}

/** Removes the output of sources that were removed: it must not be loaded or packed. */
async function removeOthers(dist, sources) {
  const names = await readdir(join(ROOT, dist), { recursive: true });
  const stale = names.filter((name) => name.endsWith(".js") && !existsSync(join(ROOT, sources, asSource(name))));
  for (const name of stale.flatMap((name) => [name, name.replace(/js$/, "d.ts")]))
    await rm(join(ROOT, dist, name), { force: true });
}

const asSource = (name) => name.replace(/js$/, "ts");

/** Returns when a file, or the newest one in a folder, was last changed; 0 if there is none. */
async function lastChange(path) {
  const names = await readdir(join(ROOT, path), { recursive: true }).catch(() => []);
  const stats = await Promise.all(["", ...names].map((name) => stat(join(ROOT, path, name)).catch(() => undefined)));
  return Math.max(0, ...stats.map((one) => one?.mtimeMs ?? 0));
}
