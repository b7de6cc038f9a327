/**
 * Builds the plugin as a folder that runs on every platform with Node: `main.js` with all its packages, `start.js`, which
 * checks the version of Node, and a launcher for POSIX shells and one for Windows.
 */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fingerprint } from "../setup/build.mjs";
import { withLock } from "../setup/lock.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { step } from "../setup/step.mjs";

/** In package.json, `files` publishes this folder. */
export const BUNDLE = join(ROOT, "build", "plugin");

const LAUNCHERS = ["pulumi-resource-agentgraph", "pulumi-resource-agentgraph.cmd"].map((name) =>
  join("plugin", "launcher", name),
);
const STAMP = join(PRIVATE, "built-plugin");

/** Builds the folder if its sources changed since the last build. @returns Its path. */
export async function ensureBundle() {
  if (await isCurrent()) return BUNDLE;
  await withLock(`${BUNDLE}.lock`, "Plugin", async () => {
    if (!(await isCurrent())) await step("Plugin", "bundle for every platform", build);
  });
  return BUNDLE;
}

const isCurrent = async () =>
  existsSync(join(BUNDLE, "main.js")) && (await readFile(STAMP, "utf8").catch(() => "")) === (await sources());

const sources = () =>
  fingerprint({
    files: ["package.json", "plugin/schema.json", "scripts/plugin/bundle.mjs", ...LAUNCHERS],
    folders: ["plugin", "provider"],
  });

async function build(status) {
  // Taken before the build, so that files that are edited meanwhile are built the next time.
  const fresh = await sources();
  const files = [await start(), await plugin(), ...(await launchers())];
  await mkdir(BUNDLE, { recursive: true });
  for (const file of files) await replace(file);
  await mkdir(PRIVATE, { recursive: true });
  await writeFile(STAMP, fresh);
  const sizeBytes = files.reduce((sum, { contents }) => sum + contents.length, 0);
  status(`bundle for every platform, ${(sizeBytes / 1e6).toFixed(1)} MB`);
}

async function start() {
  const { engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const MIN_NODE_VERSION = JSON.stringify(engines.node.replace(">=", ""));
  // Old versions of Node must be able to parse it.
  return compile("start.ts", "start.js", { define: { MIN_NODE_VERSION }, target: "node12", external: ["./main"] });
}

const plugin = () => compile("main.ts", "main.js", { target: "node22" });

async function compile(entry, outfile, options) {
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(ROOT, "plugin", entry)],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    legalComments: "none",
    logLevel: "warning",
    write: false,
    ...options,
  });
  return { name: outfile, contents: outputFiles[0].contents, mode: 0o644 };
}

const launchers = () =>
  Promise.all(
    LAUNCHERS.map(async (path) => ({
      name: basename(path),
      contents: await readFile(join(ROOT, path)),
      mode: 0o755,
    })),
  );

/** Writes a file in one step, since an engine may be starting the plugin. */
async function replace({ name, contents, mode }) {
  const file = join(BUNDLE, name);
  const draft = `${file}.draft-${process.pid}`;
  await writeFile(draft, contents);
  await chmod(draft, mode);
  await rename(draft, file);
}
