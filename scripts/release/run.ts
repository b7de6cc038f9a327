/** `npm run release -- --local`: builds all files of a release in one folder. The release workflow publishes them. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { packEmulators } from "../plugin/emulator.ts";
import { ensureRelease, PLATFORMS } from "../plugin/release.ts";
import { ready } from "../setup/index.mjs";
import { ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import type { OptionsOf } from "../tools/options.ts";
import { lineOf } from "./checksums.ts";
import { packNativeSdk, packPackages, packWheel } from "./packages.ts";
import { chosen, instructionsFor, LANGUAGES, packFor } from "./partial.ts";

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
    for: {
      type: "string",
      form: "LANGUAGE",
      meaning: `only what programs in one language need: ${Object.keys(LANGUAGES).join(", ")} (default: all)`,
    },
    platform: {
      type: "string",
      form: "PLATFORM",
      meaning: "with --for, the platform of its executables, such as linux-arm64 (default: this one)",
    },
  },
} as const;

export async function main({
  local = false,
  out = join("build", "release"),
  for: language,
  platform,
}: OptionsOf<typeof usage>) {
  if (!local) throw new Problem("Add --local. A release is published by its workflow: see docs/internal/releasing.md.");
  if (language === undefined && platform !== undefined) throw new Problem("--platform needs --for.");
  const choice = language === undefined ? undefined : chosen({ language, platform });
  const folder = resolve(ROOT, out);
  await assertReplaceable(folder);
  const { env } = await ready({ cli: false });
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const archives = choice ? undefined : await ensureRelease();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (choice) await packFor(choice, { folder, version, env });
  else await packAll({ folder, version, env, archives: archives as string });
  const all = (await readFile(join(ROOT, "scripts/release/INSTALL.md"), "utf8")).replaceAll("VERSION", version);
  await writeFile(join(folder, "INSTALL.md"), choice ? instructionsFor(choice, all, await readdir(folder)) : all);
  await writeChecksums(folder);
  const what = choice ? `The files for ${language}` : "All files of the release";
  console.log(`${what} are in ${relative(process.cwd(), folder)}. INSTALL.md shows how to use them.`);
}

interface Release {
  folder: string;
  version: string;
  env: NodeJS.ProcessEnv;
  archives: string;
}

async function packAll({ folder, version, env, archives }: Release) {
  await step("Release", "packing the npm packages", () => packPackages(folder, env));
  await step("Release", "packing the native SDK for Node.js", () => packNativeSdk(folder, env));
  await step("Release", "packing the Python SDK", () => packWheel(folder, env));
  await step("Release", "packing the executables of the emulator", () => packEmulators(folder, version, PLATFORMS));
  await copyArchives(archives, folder, version);
  await step("Release", "listing the dependencies in SBOMs", () =>
    run(process.execPath, [join(ROOT, "scripts/release/sbom.ts"), folder], {
      env,
      failed: "npm could not write the SBOMs",
    }),
  );
}

/** @throws Problem if the folder contains what no release contains. */
async function assertReplaceable(folder: string) {
  const names: string[] = await readdir(folder).catch(() => []);
  if (names.length === 0 || names.includes("SHA256SUMS")) return;
  throw new Problem(`${folder} contains other files, which would be deleted. Choose another folder with --out.`);
}

/** Copies the archives with executables, and one of those with the bundle, which are all equal. */
async function copyArchives(archives: string, folder: string, version: string) {
  const standalone = join(archives, "standalone");
  for (const name of await readdir(standalone))
    if (name.endsWith(".tar.gz")) await copyFile(join(standalone, name), join(folder, name));
  const plugin = `pulumi-resource-agentgraph-v${version}`;
  await copyFile(join(archives, "node", `${plugin}-linux-amd64.tar.gz`), join(folder, `${plugin}-node.tar.gz`));
}

async function writeChecksums(folder: string) {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).sort()) lines.push(lineOf(name, await readFile(join(folder, name))));
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
}
