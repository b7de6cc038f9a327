/** Compiles the package and the emulator to dist/ if their sources changed since the last build. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
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
    main: "dist/sdk/index.js",
    from: ["sdk", "provider", "cli"],
  },
  {
    name: "emulator",
    config: "emulator/tsconfig.json",
    dist: "emulator/dist",
    main: "emulator/dist/main.js",
    from: ["emulator/src", "emulator/page"],
    bundle: "emulator/page/build.mjs",
  },
];

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
      const sources = await fingerprint({ files: ["tsconfig.json", build.config], folders: build.from });
      return { ...build, sources, built };
    }),
  );
  return states.filter(({ main, sources, built }) => sources !== built || !existsSync(join(ROOT, main)));
}

const stampFile = ({ name }) => join(PRIVATE, `built-${name}`);

/** Hashes names, sizes and times of files and of the sources in folders, which also detects a removed file or an older checkout. */
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
  const args = ["-p", join(ROOT, build.config), "--noEmitOnError", "--listEmittedFiles"];
  const { code, output } = await attempt(tool("tsc"), args, { cwd: ROOT, env });
  if (code !== 0) {
    const errors = output.replace(/^TSFILE: .*\n?/gm, "").trim();
    throw new Problem(
      `The ${build.name} does not compile. Fix the errors above and run the same command again.`,
      errors,
    );
  }
  await removeOthers(join(ROOT, build.dist), output);
  if (build.bundle) await bundle(build, env);
  await mkdir(PRIVATE, { recursive: true });
  await writeFile(stampFile(build), build.sources);
}

/** Bundles the page of the emulator, which is not compiled file by file. */
async function bundle({ name, bundle: script }, env) {
  const { code, output } = await attempt(process.execPath, [join(ROOT, script)], { cwd: ROOT, env });
  if (code !== 0) throw new Problem(`The page of the ${name} cannot be bundled. Fix the errors above.`, output);
}

/** Removes files that tsc did not write: their sources were removed, and they must not be loaded or packed. */
async function removeOthers(dist, output) {
  const written = new Set([...output.matchAll(/^TSFILE: (.*)$/gm)].map(([, file]) => resolve(ROOT, file)));
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !written.has(file)) await rm(file, { force: true });
  }
}
