/** `npm run release -- --local`: builds all files of a release in one folder. The release workflow publishes them. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { ensureBundle } from "../plugin/bundle.ts";
import { packEmulators } from "../plugin/emulator.ts";
import { ensureRelease } from "../plugin/release.ts";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { packNativeSdk, packWheel } from "./sdks.ts";

export const usage = {
  command: "npm run release",
  summary: "Builds all files of a release: packages, plugin archives, SBOMs, checksums and INSTALL.md.",
  options: {
    local: { type: "boolean", meaning: "write them to a folder; the release workflow publishes them" },
    out: {
      type: "string",
      form: "FOLDER",
      meaning: "where to write them, replacing all that it contains (default: build/release)",
    },
  },
};

export async function main({ local = false, out = join("build", "release") }: { local?: boolean; out?: string }) {
  if (!local) throw new Problem("Add --local. A release is published by its workflow: see CONTRIBUTING.md.");
  const folder = resolve(ROOT, out);
  await assertReplaceable(folder);
  const { env } = await ready({ cli: false });
  await ensureBundle();
  const archives = await ensureRelease();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await step("Release", "packing the npm packages", () => packPackages(folder, env));
  await step("Release", "packing the native SDK for Node.js", () => packNativeSdk(folder, env));
  await step("Release", "packing the Python SDK", () => packWheel(folder, env));
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  await step("Release", "packing the executables of the emulator", () => packEmulators(folder, version));
  await copyArchives(archives, folder, version);
  await step("Release", "listing the dependencies in SBOMs", () =>
    run(process.execPath, [join(ROOT, "scripts/release/sbom.ts"), folder], {
      env,
      failed: "npm could not write the SBOMs",
    }),
  );
  await writeInstructions(folder, version);
  await writeChecksums(folder);
  console.log(`All files of the release are in ${relative(process.cwd(), folder)}. INSTALL.md shows how to use them.`);
}

/** @throws Problem if the folder contains what no release contains. */
async function assertReplaceable(folder: string) {
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.length === 0 || names.includes("SHA256SUMS")) return;
  throw new Problem(`${folder} contains other files, which would be deleted. Choose another folder with --out.`);
}

async function packPackages(folder: string, env: NodeJS.ProcessEnv) {
  // What the scripts of the packages build exists already.
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const failed = "npm could not pack a package";
  await run("npm", [...args, "--workspace", "emulator", "--include-workspace-root"], { cwd: ROOT, env, failed });
}

/** Copies the archives with executables, and one of those with the bundle, which are all equal. */
async function copyArchives(archives: string, folder: string, version: string) {
  const standalone = join(archives, "standalone");
  for (const name of await readdir(standalone))
    if (name.endsWith(".tar.gz")) await copyFile(join(standalone, name), join(folder, name));
  const plugin = `pulumi-resource-agentgraph-v${version}`;
  await copyFile(join(archives, "node", `${plugin}-linux-amd64.tar.gz`), join(folder, `${plugin}-node.tar.gz`));
}

async function writeInstructions(folder: string, version: string) {
  const text = await readFile(join(ROOT, "scripts/release/INSTALL.md"), "utf8");
  await writeFile(join(folder, "INSTALL.md"), text.replaceAll("VERSION", version));
}

async function writeChecksums(folder: string) {
  const lines = (await readdir(folder)).sort().map(async (name) => {
    const digest = createHash("sha256").update(await readFile(join(folder, name)));
    return `${digest.digest("hex")}  ${name}\n`;
  });
  await writeFile(join(folder, "SHA256SUMS"), (await Promise.all(lines)).join(""));
}
