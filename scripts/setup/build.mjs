/** Compiles the package and the emulator to dist/, which some tests start, if their sources changed. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { withLock } from "./lock.mjs";
import { PRIVATE, ROOT, tool } from "./paths.mjs";
import { Problem } from "./problem.mjs";
import { attempt } from "./run.mjs";
import { step } from "./step.mjs";

const BUILDS = [
  {
    name: "package",
    config: "tsconfig.json",
    dist: "dist",
    main: "dist/sdk/nodejs/index.js",
    root: ".",
    from: ["sdk/nodejs", "provider", "cli", "plugin"],
  },
  {
    name: "emulator",
    config: "emulator/tsconfig.json",
    dist: "emulator/dist",
    main: "emulator/dist/main.js",
    root: "emulator/src",
    from: ["emulator/src"],
    page: "emulator/page",
  },
];

/** The record of a build in the folder of its output, which tsc uses to compile only what changed. */
const RECORD = "tsconfig.tsbuildinfo";

const SOURCE = /\.(tsx?|mjs|css|html)$/;

/** Builds what is out of date. */
export async function ensureBuild(env) {
  if ((await outdated()).length === 0) return;
  await withLock(join(PRIVATE, "setup.lock"), "Build", async () => {
    const builds = await outdated();
    if (builds.length === 0) return;
    const why = `compiling the ${builds.map(({ name }) => name).join(" and the ")} (sources changed)`;
    await step("Build", why, () => Promise.all(builds.map((build) => compile(build, env))));
  });
}

async function outdated() {
  const states = await Promise.all(
    BUILDS.map(async (build) => {
      const built = await readFile(stampFile(build), "utf8").catch(() => "");
      const current = await fingerprint({
        files: ["tsconfig.json", build.config],
        folders: [...build.from, build.page ?? []].flat(),
      });
      return { ...build, current, built };
    }),
  );
  return states.filter(({ main, current, built }) => current !== built || !existsSync(join(ROOT, main)));
}

const stampFile = ({ name }) => join(PRIVATE, `built-${name}`);

/** Hashes names, sizes and times of sources, which also detects a removed file or an older checkout. */
export async function fingerprint({ files, folders }) {
  const hash = createHash("sha256");
  const all = ["package-lock.json", ...files];
  for (const folder of folders) {
    const names = await readdir(join(ROOT, folder), { recursive: true }).catch(() => []);
    all.push(...names.filter((name) => SOURCE.test(name)).map((name) => join(folder, name)));
  }
  for (const file of all.sort()) {
    const { size, mtimeMs } = await stat(join(ROOT, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** Compiles a build. The fingerprint was taken before, so files that are edited meanwhile are built the next time. */
async function compile(build, env) {
  const outputs = await outputsOf(build);
  // tsc compiles what changed since the build in its record, and does not notice that output was removed.
  if (!outputs.every(existsSync)) await rm(join(ROOT, build.dist, RECORD), { force: true });
  // Types take half of the time, and another check reports their errors.
  const args = ["-p", join(ROOT, build.config), "--noCheck", "--noEmitOnError"];
  const { code, output } = await attempt(tool("tsc"), args, { cwd: ROOT, env });
  if (code !== 0)
    throw new Problem(
      `The ${build.name} does not compile. Fix the errors above and run the same command again.`,
      output,
    );
  await removeOthers(build, outputs);
  if (build.page) await bundle(build, env);
  await mkdir(PRIVATE, { recursive: true });
  await writeFile(stampFile(build), build.current);
}

/** Returns the paths of the files that tsc writes for a build. */
async function outputsOf({ from, root, dist }) {
  const names = await Promise.all(from.map((folder) => readdir(join(ROOT, folder), { recursive: true })));
  return from.flatMap((folder, index) =>
    names[index]
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [".js", ".d.ts"].map((end) => join(folder, name.replace(/\.ts$/, end))))
      .map((path) => join(ROOT, dist, relative(root, path))),
  );
}

/** Removes files that tsc did not write: their sources were removed, and they must not be loaded or packed. */
async function removeOthers({ dist }, outputs) {
  const written = new Set([...outputs, join(ROOT, dist, RECORD)]);
  for (const entry of await readdir(join(ROOT, dist), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
}

/** Bundles the page of the emulator, which is not compiled file by file. */
async function bundle({ name, page }, env) {
  const { code, output } = await attempt(process.execPath, [join(ROOT, page, "build.mjs")], { cwd: ROOT, env });
  if (code !== 0) throw new Problem(`The page of the ${name} cannot be bundled. Fix the errors above.`, output);
}
