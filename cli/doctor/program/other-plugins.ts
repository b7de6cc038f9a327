/** Finds what makes the engine use another plugin than the program: an environment variable, or the state. */
import type { Check } from "../../shared/check";
import type { StateResource } from "../../shared/pulumi/state";
import type { CommandContext } from "../../shared/subcommand";
import { packageVersion } from "../../shared/version";
import { findPlugin, isTrue } from "./find-plugin";

const PROVIDER_TYPE = "pulumi:providers:agentgraph";

/**
 * Finds plugins of other versions that the state names, which commands that do not run the program start. Returns
 * nothing where the state names no other version, or the engine takes one whatever its version.
 */
export async function checkStoredPlugins(
  resources: readonly StateResource[],
  { folder, env }: Pick<CommandContext, "folder" | "env">,
): Promise<Check[]> {
  const others = new Map<string, StateResource>();
  for (const resource of resources) {
    const version = resource.inputs?.version;
    if (resource.type === PROVIDER_TYPE && typeof version === "string" && version !== packageVersion())
      others.set(version, resource);
  }
  if (others.size === 0) return [];
  const plugin = await findPlugin(folder, env);
  const installed = plugin ? plugin.installed : [];
  if (installed === undefined) return [];
  return [...others].map(([version, { urn = "", inputs = {} }]) => ({
    id: "plugin",
    status: "note",
    message:
      `the provider ${urn.split("::").at(-1)} in state names the plugin agentgraph ${version}, ` +
      (installed.includes(version) ? "which Pulumi starts for it" : sourceOf(inputs.pluginDownloadURL, env)),
    remedy: "Run `pulumi up`, or add --run-program to `pulumi refresh` and `pulumi destroy`.",
  }));
}

function sourceOf(url: unknown, env: NodeJS.ProcessEnv): string {
  if (isTrue(env.PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION)) return "which is not installed, so Pulumi fails";
  return `which is not installed, so Pulumi downloads it${typeof url === "string" ? ` from ${url}` : ""}`;
}

const VARIABLE = "PULUMI_DEBUG_PROVIDERS";
/** The native provider, and the one of dynamic resources. */
const ENTRY = /(?:^|,)\s*(agentgraph|pulumi-nodejs):(\d+)/g;

/** Reports providers that the engine does not start, since it connects to running ones. */
export const checkDebugProviders = (env: NodeJS.ProcessEnv): Check[] =>
  [...(env[VARIABLE] ?? "").matchAll(ENTRY)].map(([, name, port]) => ({
    id: "plugin",
    status: "note",
    message: `Pulumi starts no provider ${name}, but uses the one that listens on port ${port}: ${VARIABLE} says so`,
    remedy: `Remove the variable ${VARIABLE}, unless you debug that provider.`,
  }));
