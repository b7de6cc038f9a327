/** Builds the emulator as a single executable, for teams without Node. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { fingerprint, writeInOneStep } from "./artifact.ts";
import { compileFile } from "./bundle.ts";
import { ensureExecutableOf } from "./executable.ts";
import { licensesOf } from "./licenses.ts";
import { nodePlatform, pack } from "./release.ts";

const BUNDLE = join(ROOT, "build", "emulator");
const LICENSES = join(BUNDLE, "LICENSES.txt");

/** Builds a platform's executable (default: this) if sources changed since. @returns Its path. */
export const ensureEmulatorExecutable = (platform?: string) =>
  ensureExecutableOf({ name: "agentgraph-emulator", sources: emulatorSources, bundle: bundleEmulator }, platform);

/** Writes an archive for each of these platforms. */
export async function packEmulators(folder: string, version: string, platforms: readonly string[]) {
  for (const platform of platforms) {
    const archive = await pack([await ensureEmulatorExecutable(nodePlatform(platform)), LICENSES]);
    await writeFile(join(folder, `agentgraph-emulator-v${version}-${platform}.tar.gz`), archive);
  }
}

const emulatorSources = () =>
  fingerprint({
    files: ["package.json", "emulator/package.json", "scripts/plugin/emulator.ts", "scripts/plugin/bundle.ts"],
    folders: ["emulator/src", "emulator/page"],
  });

/** Compiles each part into one file: `parts` in emulator/src/runtime/parts.ts has their names. */
async function bundleEmulator() {
  const [main, worker] = [join(BUNDLE, "main.js"), join(BUNDLE, "worker.js")];
  const compiled = await compileFile("emulator/src/executable.ts", { target: "node24" });
  const thread = await compileFile("emulator/src/bulk-export/parquet/worker.ts", { target: "node24" });
  await writeInOneStep(main, compiled.contents);
  await writeInOneStep(worker, thread.contents);
  const packages = [...new Set([...compiled.packages, ...thread.packages])].sort();
  await writeInOneStep(LICENSES, await licensesOf(packages, "emulator"));
  const assets = { "page.html": join(ROOT, "emulator", "dist", "page.html"), "bulk-export/parquet/worker.js": worker };
  return { main, assets };
}
