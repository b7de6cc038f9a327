/** Packs the npm packages, and the native SDKs in Node.js and Python. The CLI generates the others. */
import { appendFile, chmod, copyFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUNDLE_FILES, ensureBundle } from "../plugin/bundle.ts";
import { SKILL } from "../plugin/release.ts";
import { inTemporaryFolder } from "../setup/cache.mjs";
import { ROOT, tool, which } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { run } from "../setup/run.mjs";
import { ensureSdkGenerator } from "../tools/go-programs.ts";
import { addList, LIST, listOf } from "./checksums.ts";

type Env = NodeJS.ProcessEnv;

/** What coding agents read in each package. */
const SKILLS = join(ROOT, "skills");

/** Packs the emulator, and the package itself unless a language does not need it. */
export async function packPackages(target: string, env: Env, isComplete = true) {
  // What the scripts of the packages build exists already.
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", target, "--workspace", "emulator"];
  const failed = "npm could not pack a package";
  await ensureBundle();
  await run("npm", [...args, ...(isComplete ? ["--include-workspace-root"] : [])], { cwd: ROOT, env, failed });
  for (const source of ["emulator", ...(isComplete ? ["."] : [])]) await addListTo(join(ROOT, source), target);
}

async function addListTo(source: string, target: string) {
  const { name, version } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  await addList(join(target, `${name}-${version}.tgz`));
}

/** Generates, compiles and packs `pulumi-agentgraph-native`. */
export const packNativeSdk = (target: string, env: Env) =>
  inTemporaryFolder(async (folder: string) => {
    const generator = await ensureSdkGenerator(env);
    await run(generator, ["nodejs", join(ROOT, "plugin/schema.json"), folder], { failed: "Generating the SDK failed" });
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await run(tool("tsc"), ["--project", folder], { env, failed: "Compiling the SDK failed" });
    await writeManifest(folder);
    await rm(join(folder, "node_modules"));
    const args = ["pack", "--silent", "--pack-destination", target];
    await run("npm", args, { cwd: folder, env, failed: "npm could not pack the SDK" });
    await addListTo(folder, target);
  });

/** The generated manifest compiles where it is installed. This one has compiled files, and the license. */
async function writeManifest(folder: string) {
  const { scripts: _, dependencies, ...manifest } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { description, repository } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const used = { "@pulumi/pulumi": dependencies["@pulumi/pulumi"] };
  const text = {
    ...manifest,
    description,
    repository,
    types: "bin/index.d.ts",
    files: ["bin", "skills"],
    dependencies: used,
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(text, null, 2));
  // The compiled code reads its version there.
  await copyFile(join(folder, "package.json"), join(folder, "bin/package.json"));
  await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  await cp(SKILLS, join(folder, "skills"), { recursive: true });
}

/** Builds the wheel: the SDK, and what pip writes to `share` of the environment: the plugin's bundle and the skill. */
export const packWheel = (target: string, env: Env) =>
  inTemporaryFolder(async (folder: string) => {
    const python = which("python3", env);
    if (!python)
      throw new Problem("Packing the Python SDK requires Python 3.10 or newer. Install it and run the command again.");
    // A build writes to its sources.
    await cp(join(ROOT, "sdk/python"), folder, { recursive: true });
    await addBundle(folder);
    await equalizeModes(folder);
    const args = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", target, folder];
    // What the archive states as the time of each file: the earliest that a ZIP file can.
    const fixed = { ...env, SOURCE_DATE_EPOCH: "315532800" };
    await run(python, args, { env: fixed, failed: "pip could not build the wheel" });
  });

/** In `share`: the folder of packages differs between versions of Python, and Pulumi.yaml names the path. */
async function addBundle(folder: string) {
  const bundle = await ensureBundle();
  // No name of a Python package, which setuptools would look for.
  const target = join(folder, "plugin-bundle");
  await mkdir(target);
  for (const name of BUNDLE_FILES) await copyFile(join(bundle, name), join(target, name));
  await cp(SKILLS, join(folder, "agent-skills"), { recursive: true });
  const paths = [...BUNDLE_FILES.map((name) => [join(bundle, name), name]), [join(ROOT, SKILL), SKILL]];
  const bodies = paths.map(async ([path = "", name = ""]) => ({ name, body: await readFile(path) }));
  await writeFile(join(target, LIST), listOf(await Promise.all(bodies)));
  const files = {
    "share/pulumi-agentgraph": ["plugin-bundle/*"],
    "share/pulumi-agentgraph/skills/pulumi-agentgraph": ["agent-skills/pulumi-agentgraph/*"],
  };
  const settings = Object.entries(files).map(([target, from]) => `  "${target}" = ${JSON.stringify(from)}\n`);
  await appendFile(join(folder, "pyproject.toml"), `\n[tool.setuptools.data-files]\n${settings.join("")}`);
}

/** The archive contains the modes of files, which depend on the umask: that of this process, which pip inherits. */
async function equalizeModes(folder: string) {
  process.umask(0o022);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isDirectory() || entry.name.startsWith("pulumi-resource-") ? 0o755 : 0o644);
  }
}
