/** Builds programs as single executables: Node with their bundle in it. They require nothing. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprint } from "../setup/build.mjs";
import { ensureNodeRelease } from "../setup/node.mjs";
import { PLATFORM, ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { ensureArtifact, megabytes, writeInOneStep } from "./artifact.ts";
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
 * Platforms, as Node names them, whose executable can be built on any machine: npm has the same Node for them. Not macOS,
 * which runs no program without a signature, and only macOS can sign one.
 */
const ANYWHERE = ["linux-x64", "linux-arm64", "win32-x64"];

export const canBuildExecutable = (platform: string) => platform === PLATFORM || ANYWHERE.includes(platform);

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
  const own = await fingerprint({ files: ["scripts/plugin/executable.ts"], folders: [] });
  return `${await sources()} ${own} ${await nodeRelease(platform)}`;
}

const nodeRelease = (platform = PLATFORM) => ensureNodeRelease("for the executable", undefined, platform);

interface Build {
  program: Program;
  path: string;
  platform: string;
  what: string;
  status: (text: string) => void;
}

async function build({ program, path, platform, what, status }: Build) {
  const node = await nodeRelease(platform);
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-executable-"));
  try {
    const draft = join(folder, program.name);
    await copyFile(node, draft);
    await inject(draft, await prepareApplication(program, folder, platform === PLATFORM), platform);
    const contents = await readFile(draft);
    await writeInOneStep(path, contents, 0o755);
    status(`${what}, ${megabytes(contents.length)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the application as Node reads it from its own program. Compiled code is part of it if it runs here. @returns The file. */
async function prepareApplication({ bundle }: Program, folder: string, useCodeCache: boolean) {
  const output = join(folder, "application.blob");
  const config = join(folder, "sea.json");
  await writeFile(
    config,
    JSON.stringify({ ...(await bundle()), output, disableExperimentalSEAWarning: true, useCodeCache }),
  );
  const args = ["--experimental-sea-config", config];
  await run(await nodeRelease(), args, { cwd: folder, failed: "Node cannot prepare the executable" });
  return output;
}

async function inject(file: string, application: string, platform: string) {
  const isMac = platform.startsWith("darwin-");
  // macOS runs no program whose signature does not match. An ad hoc signature is enough.
  if (isMac) await run("codesign", ["--remove-signature", file], { failed: "codesign cannot remove a signature" });
  const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
  const args = [POSTJECT, file, "NODE_SEA_BLOB", application, "--sentinel-fuse", FUSE, ...segment];
  await run(process.execPath, args, { failed: "postject cannot write the executable" });
  if (isMac) await run("codesign", ["--sign", "-", file], { failed: "codesign cannot sign the executable" });
}
