/** What programs of the native provider have in common. */

import { portablePath } from "../../shared/portable-path";
import { findInstalledPlugin, pluginIn } from "../../shared/pulumi/plugin";
import { packageFolder } from "../../shared/version";
import { isFromRegistry, projectName } from "../project";
import { formatNativeImportFile } from "./import-file";
import type { Language, ProjectLocation } from "./language";

export const NATIVE: Pick<Language, "commands" | "importFile"> = {
  commands: {
    requirement: "The engine starts the `agentgraph` plugin; if it is not found, `agentgraph doctor` shows what to do.",
    preview: "pulumi preview",
    secretsNote:
      "The import reads the secrets of deployments from the server and stores them encrypted in the state, so " +
      "the preview compares them with the configuration. The API never returns credentials of destinations, " +
      "so they show as an update in place until the first `pulumi up` has set them.",
    plainTextNote:
      "The API does not treat environment variables of containers as secrets, so the import stores their " +
      "values in plain text in the state, also of those in the table below. Programs in TypeScript import " +
      "these encrypted.",
  },
  importFile: formatNativeImportFile,
};

/** Returns the settings of a project: its name, its runtime, and where the plugin is, if it is on this machine only. */
export function projectSettings({ folder, from }: ProjectLocation, runtime: unknown): Record<string, unknown> {
  const ownPlugin = isFromRegistry() ? undefined : pluginIn(packageFolder());
  const plugin = findInstalledPlugin(folder) ?? findInstalledPlugin(from) ?? ownPlugin;
  const providers = plugin && [{ name: "agentgraph", path: portablePath(folder, plugin) }];
  return { name: projectName(folder), runtime, ...(providers && { plugins: { providers } }) };
}
