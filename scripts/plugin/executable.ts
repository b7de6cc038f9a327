/** Builds programs as single executables: Node with their bundle in it. They require nothing. */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { inTemporaryFolder } from "../setup/cache.mjs";
import { environment } from "../setup/environment.mjs";
import { ensureNodeRelease } from "../setup/node.mjs";
import { PLATFORM, ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { ensureMacSigner } from "../tools/go-programs.ts";
import { ensureArtifact, fingerprint, megabytes, writeInOneStep } from "./artifact.ts";
import { bundleSources, ensureBundle } from "./bundle.ts";

/** What an executable contains besides Node. */
interface Program {
  /** The name of the executable. */
  name: string;
  /** Returns a fingerprint of its sources. */
  sources: () => Promise<string>;
  /** Returns the file with its code, and further files by the names under which the code reads them. */
  bundle: () => Promise<{ main: string; assets?: Record<string, string> }>;
}

const PLUGIN: Program = {
  name: "pulumi-resource-agentgraph",
  sources: bundleSources,
  bundle: async () => ({ main: join(await ensureBundle(), "main.js") }),
};

const FOLDER = join(ROOT, "build", "executable");

const POSTJECT = join(ROOT, "node_modules", "postject", "dist", "cli.js");

/** The text in Node that injection flips to say that it contains an application, from the documentation of Node. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * The major version of Node in the executable of each platform, as Node names them: the oldest supported one that npm
 * has for it. Node reads an application only if the same major version prepared it.
 */
const NODE_VERSIONS: Record<string, string> = {
  "linux-x64": "24",
  "linux-arm64": "24",
  "darwin-x64": "26",
  "darwin-arm64": "26",
  "win32-x64": "24",
  "win32-arm64": "26",
};

/** Builds the plugin's executable for a platform if its sources changed since the last build. @returns Its path. */
export const ensureExecutable = (platform = PLATFORM) => ensureExecutableOf(PLUGIN, platform);

export const executableSources = (platform = PLATFORM) => sourcesOf(PLUGIN, platform);

/** Builds the executable of a program if its sources changed since the last build. @returns Its path. */
export async function ensureExecutableOf(program: Program, platform = PLATFORM): Promise<string> {
  const name = platform.startsWith("win32-") ? `${program.name}.exe` : program.name;
  const path = platform === PLATFORM ? join(FOLDER, name) : join(FOLDER, platform, name);
  const what = `executable ${platform === PLATFORM ? "of this platform" : `for ${platform}`}: ${program.name}`;
  const sources = () => sourcesOf(program, platform);
  return ensureArtifact({ path, what, sources, build: (status) => build({ program, path, platform, what, status }) });
}

async function sourcesOf({ sources }: Program, platform: string) {
  const files = ["scripts/plugin/executable.ts", "toolchain/mac-signer/main.go", "toolchain/mac-signer/go.mod"];
  const own = await fingerprint({ files });
  return `${await sources()} ${own} ${await nodeRelease(platform)}`;
}

/** Returns the Node for the executable of a platform, or that of another platform in the same version. */
const nodeRelease = (platform: string, on = platform) =>
  ensureNodeRelease("for the executable", NODE_VERSIONS[platform], on);

interface Build {
  program: Program;
  path: string;
  platform: string;
  what: string;
  status: (text: string) => void;
}

async function build({ program, path, platform, what, status }: Build) {
  const node = await nodeRelease(platform);
  await inTemporaryFolder(async (folder: string) => {
    const draft = join(folder, program.name);
    await copyFile(node, draft);
    await inject(draft, await prepareApplication(program, folder, platform), platform);
    if (isMac(platform)) await sign(draft, program.name);
    const contents = await readFile(draft);
    await writeInOneStep(path, contents, 0o755);
    status(`${what}, ${megabytes(contents.length)}`);
  });
}

/** Writes the application as Node reads it from itself, with compiled code if it runs here. @returns The file. */
async function prepareApplication({ bundle }: Program, folder: string, platform: string) {
  const output = join(folder, "application.blob");
  const config = join(folder, "sea.json");
  const useCodeCache = platform === PLATFORM;
  const program = await bundle();
  // The executable contains the path of its code, which must be the same on every machine.
  const main = basename(program.main);
  await copyFile(program.main, join(folder, main));
  await writeFile(
    config,
    JSON.stringify({ ...program, main, output, disableExperimentalSEAWarning: true, useCodeCache }),
  );
  const args = ["--experimental-sea-config", config];
  await run(await nodeRelease(platform, PLATFORM), args, { cwd: folder, failed: "Node cannot prepare the executable" });
  return output;
}

async function inject(file: string, application: string, platform: string) {
  const segment = isMac(platform) ? ["--macho-segment-name", "NODE_SEA"] : [];
  const args = [POSTJECT, file, "NODE_SEA_BLOB", application, "--sentinel-fuse", FUSE, ...segment];
  await run(process.execPath, args, { failed: "postject cannot write the executable" });
}

const isMac = (platform: string) => platform.startsWith("darwin-");

/** Adds a signature, which is missing after the injection. */
async function sign(file: string, identifier: string) {
  const signer = await ensureMacSigner(environment([]));
  await run(signer, [file, identifier], { failed: "The executable for macOS could not be signed" });
}
