/** Checks what a program of the native provider needs: the plugin, and an SDK of the same version. */
import { existsSync, globSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Check } from "../shared/check";
import { readPluginPath } from "../shared/project";
import { runPulumi } from "../shared/pulumi";
import { packageVersion, readVersion } from "../shared/version";
import { checkSdks } from "./sdk";

/**
 * Checks the plugin and the SDK of a program in another language. @param project Folder of the project file. @param
 * program Folder of the program.
 */
export async function checkNative(
  runtime: string,
  project: string,
  program: string,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  const plugin = await findPlugin(project, env);
  const sdks = await checkSdks(runtime, { project, folder: program, env, pluginVersion: plugin?.version });
  return [checkPlugin(plugin), ...sdks];
}

/**
 * Checks the plugin for a Node program that imports `pulumi-agentgraph/native`. @param project Folder of the project
 * file.
 */
export async function checkPluginOfPackage(project: string, env: NodeJS.ProcessEnv): Promise<Check> {
  const plugin = await findPlugin(project, env);
  const check = checkPlugin(plugin);
  if (check.status !== "ok" || plugin?.version === undefined || plugin.version === packageVersion()) return check;
  const message = `${check.message}, but pulumi-agentgraph has version ${packageVersion()}`;
  return { ...check, status: "fix", message, remedy: `Use the same version of both.\n${INSTALL_PLUGIN}` };
}

interface FoundPlugin {
  /** Whether the engine can start it. */
  exists: boolean;
  /** Where the engine looks for it, for the message. */
  where: string;
  version?: string | undefined;
}

const PROGRAM = "pulumi-resource-agentgraph";

/** Returns the plugin that the engine would start: the one in the project file, then on PATH, then an installed one. */
async function findPlugin(project: string, env: NodeJS.ProcessEnv): Promise<FoundPlugin | undefined> {
  const declared = readPluginPath(project, "agentgraph");
  if (declared !== undefined) {
    const path = resolve(project, declared);
    return { exists: hasProgram(path), where: `in ${path}`, version: versionOfBundle(path) };
  }
  const folder = (env.PATH ?? "").split(delimiter).find((path) => path !== "" && hasProgram(path));
  if (folder !== undefined) return { exists: true, where: `in ${folder} on PATH` };
  const { outcome, stdout } = await runPulumi(["plugin", "ls", "--json"], project, env);
  const versions = outcome === "ok" ? installedVersions(stdout) : [];
  const version = versions.find((one) => one === packageVersion()) ?? versions[0];
  return version === undefined ? undefined : { exists: true, where: "installed", version };
}

/** The bundle has the version of the npm package or the Python wheel that it is in, `../..` from its folder. */
function versionOfBundle(folder: string): string | undefined {
  const home = join(folder, "../..");
  return readVersion(join(home, "package.json")) ?? versionOfWheel(home);
}

/** @param environment A virtual environment, or another folder into which pip installs. */
function versionOfWheel(environment: string): string | undefined {
  const pattern = "{lib/python*,Lib}/site-packages/pulumi_agentgraph-*.dist-info";
  return globSync(pattern, { cwd: environment }).map((path) => /-([^-]+)\.dist-info$/.exec(path)?.[1])[0];
}

const hasProgram = (folder: string) =>
  [PROGRAM, `${PROGRAM}.exe`, `${PROGRAM}.cmd`].some((name) => existsSync(join(folder, name)));

function installedVersions(json: string): string[] {
  try {
    const plugins = JSON.parse(json) as { name?: string; kind?: string; version?: string }[];
    return plugins.flatMap(({ name, kind, version }) =>
      name === "agentgraph" && kind === "resource" && version ? [version.replace(/^v/, "")] : [],
    );
  } catch {
    return [];
  }
}

function checkPlugin(plugin: FoundPlugin | undefined): Check {
  const id = "plugin";
  if (plugin?.exists) {
    return {
      id,
      status: "ok",
      message: `plugin agentgraph ${plugin.version ?? "of unknown version"}, ${plugin.where}`,
    };
  }
  const message = plugin
    ? `Pulumi.yaml refers to the plugin agentgraph ${plugin.where}, which does not contain ${PROGRAM}`
    : "the plugin agentgraph is not in the project file, on PATH, or installed";
  return { id, status: "fix", message, remedy: INSTALL_PLUGIN };
}

const INSTALL_PLUGIN = [
  "Install the npm package pulumi-agentgraph in the folder of Pulumi.yaml, and add to that file:",
  "plugins: { providers: [{ name: agentgraph, path: node_modules/pulumi-agentgraph/build/plugin }] }",
  "Or install the archive of a release: pulumi plugin install resource agentgraph <version> --file <archive>",
].join("\n");
