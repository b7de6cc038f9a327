/** Finds the native provider plugin in the npm package. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const PLUGIN = "pulumi-resource-agentgraph";
/** The folder of the plugin in the npm package. */
const FOLDER = join("node_modules", "pulumi-agentgraph", "build", "plugin");

/** Returns the folder of the plugin that npm installed for this folder or one above it; undefined if there is none. */
export function findInstalledPlugin(folder: string): string | undefined {
  const path = join(folder, FOLDER);
  if (existsSync(join(path, PLUGIN))) return path;
  return dirname(folder) === folder ? undefined : findInstalledPlugin(dirname(folder));
}
