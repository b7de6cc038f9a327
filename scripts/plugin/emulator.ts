/** Builds the emulator as a single executable, for teams without Node. */
import { join } from "node:path";
import { fingerprint } from "../setup/build.mjs";
import { ROOT } from "../setup/paths.mjs";
import { writeInOneStep } from "./artifact.ts";
import { ensureExecutableOf } from "./executable.ts";

const SOURCE = join(ROOT, "emulator", "src");
const BUNDLE = join(ROOT, "build", "emulator");

/** Builds the executable if its sources changed since the last build. @returns Its path. */
export const ensureEmulatorExecutable = () =>
  ensureExecutableOf({ name: "agentgraph-emulator", sources: emulatorSources, bundle: bundleEmulator });

const emulatorSources = () =>
  fingerprint({
    files: ["package.json", "emulator/package.json", "scripts/plugin/emulator.ts"],
    folders: ["emulator/src", "emulator/page"],
  });

/** Compiles each part into one file: `parts` in emulator/src/runtime/parts.ts has their names. */
async function bundleEmulator() {
  const [main, worker] = [join(BUNDLE, "main.js"), join(BUNDLE, "worker.js")];
  await writeInOneStep(main, await compile("executable.ts"));
  await writeInOneStep(worker, await compile("bulk-export/parquet/worker.ts"));
  const assets = {
    "page.html": join(ROOT, "emulator", "dist", "page.html"),
    "bulk-export/parquet/worker.js": worker,
  };
  return { main, assets };
}

async function compile(entry: string) {
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(SOURCE, entry)],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node24",
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild has no output for ${entry}.`);
  return output.contents;
}
