/** Checks what a program of the native provider needs: the plugin, and an SDK of the same version. */
import type { Check } from "../../shared/check";
import { packageVersion } from "../../shared/version";
import { checkPluginFiles } from "./files";
import { type FoundPlugin, findPlugin, PROGRAM } from "./find-plugin";
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
  return [checkPlugin(plugin), ...(await checkPluginFiles(plugin)), ...sdks];
}

/**
 * Checks the plugin for a Node program that imports `pulumi-agentgraph/native`. @param project Folder of the project
 * file.
 */
export async function checkPluginOfPackage(project: string, env: NodeJS.ProcessEnv): Promise<Check[]> {
  const plugin = await findPlugin(project, env);
  return [checkVersion(plugin), ...(await checkPluginFiles(plugin))];
}

function checkVersion(plugin: FoundPlugin | undefined): Check {
  const check = checkPlugin(plugin);
  if (check.status !== "ok" || plugin?.version === undefined || plugin.version === packageVersion()) return check;
  const message = `${check.message}, but pulumi-agentgraph has version ${packageVersion()}`;
  return { ...check, status: "fix", message, remedy: `Use the same version of both.\n${INSTALL_PLUGIN}` };
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
