/** Builds the plugin as a single executable of this platform: Node with the bundle in it. It requires nothing. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprint } from "../setup/build.mjs";
import { ensureNodeRelease } from "../setup/node.mjs";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { ensureArtifact, megabytes, writeInOneStep } from "./artifact.ts";
import { bundleSources, ensureBundle } from "./bundle.ts";

const NAME = "pulumi-resource-agentgraph";
const EXECUTABLE = join(ROOT, "build", "executable", NAME);

const POSTJECT = join(ROOT, "node_modules", "postject", "dist", "cli.js");

/** The text in Node that injection flips to say that it contains an application, from the documentation of Node. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Builds the executable if its sources changed since the last build. @returns Its path. */
export const ensureExecutable = () =>
  ensureArtifact({ path: EXECUTABLE, what: "executable of this platform", sources: executableSources, build });

export async function executableSources() {
  const own = await fingerprint({ files: ["scripts/plugin/executable.ts"], folders: [] });
  return `${await bundleSources()} ${own} ${await nodeRelease()}`;
}

const nodeRelease = () => ensureNodeRelease("for the executable");

async function build(status: (status: string) => void) {
  const node = await nodeRelease();
  const bundle = await ensureBundle();
  const folder = await mkdtemp(join(tmpdir(), "agentgraph-executable-"));
  try {
    const draft = join(folder, NAME);
    await copyFile(node, draft);
    await inject(draft, await prepareApplication(node, join(bundle, "main.js"), folder));
    const contents = await readFile(draft);
    await writeInOneStep(EXECUTABLE, contents, 0o755);
    status(`executable of this platform, ${megabytes(contents.length)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the application as Node reads it from its own program, with its compiled code. @returns The file. */
async function prepareApplication(node: string, main: string, folder: string) {
  const output = join(folder, "application.blob");
  const config = join(folder, "sea.json");
  await writeFile(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }));
  await run(node, ["--experimental-sea-config", config], { cwd: folder, failed: "Node cannot prepare the executable" });
  return output;
}

async function inject(file: string, application: string) {
  const isMac = process.platform === "darwin";
  // macOS runs no program whose signature does not match. An ad hoc signature is enough.
  if (isMac) await run("codesign", ["--remove-signature", file], { failed: "codesign cannot remove a signature" });
  const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
  const args = [POSTJECT, file, "NODE_SEA_BLOB", application, "--sentinel-fuse", FUSE, ...segment];
  await run(process.execPath, args, { failed: "postject cannot write the executable" });
  if (isMac) await run("codesign", ["--sign", "-", file], { failed: "codesign cannot sign the executable" });
}
