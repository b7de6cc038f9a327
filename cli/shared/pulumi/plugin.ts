/** Finds the native provider plugin in the npm package. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const PLUGIN = "pulumi-resource-agentgraph";
/** The folder of the plugin in the npm package. */
const FOLDER = join("build", "plugin");

/** Returns the folder of the plugin that npm installed for this folder or one above it; undefined if there is none. */
export function findInstalledPlugin(folder: string): string | undefined {
  const path = pluginIn(join(folder, "node_modules", "pulumi-agentgraph"));
  if (path !== undefined) return path;
  return dirname(folder) === folder ? undefined : findInstalledPlugin(dirname(folder));
}

/** Returns the folder of the plugin in an npm package; undefined if the package was built without it. */
export function pluginIn(packageFolder: string): string | undefined {
  const path = join(packageFolder, FOLDER);
  return existsSync(join(path, PLUGIN)) ? path : undefined;
}
