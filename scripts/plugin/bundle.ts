/**
 * Builds the plugin as a folder that runs on every platform with Node: `main.js` with all its packages, `start.js`,
 * which checks the version of Node, launchers for POSIX shells and one for Windows, and the licenses of the packages.
 */
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { ROOT } from "../setup/paths.mjs";
import { ensureArtifact, fingerprint, megabytes, writeInOneStep } from "./artifact.ts";
import { licensesOf } from "./licenses.ts";

/** Each launcher and its source. In a folder, `pulumi package` looks for a program without the name. */
const LAUNCHERS = {
  "pulumi-resource-agentgraph": "plugin/launcher/pulumi-resource-agentgraph",
  "pulumi-resource-agentgraph.cmd": "plugin/launcher/pulumi-resource-agentgraph.cmd",
  "pulumi-resource-": "plugin/launcher/pulumi-resource-agentgraph",
};

/** In package.json, `files` publishes this folder. */
const BUNDLE = join(ROOT, "build", "plugin");

/** The files of the bundle. Node adds a cache of compiled code to the folder. */
export const BUNDLE_FILES = [...Object.keys(LAUNCHERS), "start.js", "main.js", "LICENSES.txt"];

/** Builds the bundle if its sources changed since the last build. @returns Its folder. */
export const ensureBundle = () =>
  ensureArtifact({ path: BUNDLE, what: "bundle for every platform with Node", sources: bundleSources, build });

export const bundleSources = () =>
  fingerprint({
    files: [...["package.json", "plugin/schema.json", "scripts/plugin/bundle.ts"], ...Object.values(LAUNCHERS)],
    folders: ["plugin", "provider", "sdk/nodejs"],
  });

/**
 * Compiles the plugin. Equal sources and packages give equal files.
 * @returns Their contents by name, without the launchers.
 * @public A test compiles it a second time, in a separate process.
 */
export async function compileBundle() {
  const { contents, packages } = await compileFile("plugin/main.ts", { target: "node22", plugins: [SLIM_SDK] });
  return { "main.js": contents, "start.js": await start(), "LICENSES.txt": await licensesOf(packages) };
}

/** Replaces the index of the Pulumi SDK, without its server of components: an alias would change other paths. */
const SLIM_SDK: Plugin = {
  name: "slim-sdk",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@pulumi\/pulumi$/ }, ({ kind, path }) =>
      kind === "require-resolve" ? { path, external: true } : { path: join(ROOT, "plugin/component/slim-sdk.ts") },
    );
    onResolve({ filter: /^source-map-support$/ }, ({ path }) => ({ path, external: true }));
  },
};

async function build(status: (status: string) => void) {
  const files = await compileBundle();
  for (const [name, text] of Object.entries(files)) await writeInOneStep(join(BUNDLE, name), text);
  for (const [name, source] of Object.entries(LAUNCHERS))
    await writeInOneStep(join(BUNDLE, name), await readFile(join(ROOT, source)), 0o755);
  status(`bundle for every platform with Node, ${megabytes(files["main.js"].length)}`);
}

async function start() {
  const { engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const MIN_NODE_VERSION = JSON.stringify(engines.node.replace(">=", ""));
  // Old versions of Node must be able to parse it.
  const options = { define: { MIN_NODE_VERSION }, target: "node12", external: ["./main"] };
  return (await compileFile("plugin/start.ts", options)).contents;
}

/** Compiles a file with all that it imports. Returns the code, and the folders of the packages in it. */
export async function compileFile(entry: string, options: BuildOptions) {
  const esbuild = await import("esbuild");
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [join(ROOT, entry)],
    absWorkingDir: ROOT,
    outfile: basename(entry, ".ts"),
    bundle: true,
    minify: true,
    platform: "node",
    legalComments: "none",
    logLevel: "warning",
    ...options,
    metafile: true,
    write: false,
  });
  const files = Object.keys(metafile.inputs);
  const packages = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild has no output for ${entry}.`);
  return { contents: output.contents, packages: [...new Set(packages)].sort() };
}
