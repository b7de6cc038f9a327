import { definitions } from "../../../provider/definitions";
import { type Lifecycle, lifecycle } from "../../../provider/engine/host/dynamic";
import type { Report } from "../../../provider/engine/host/log";
import type { RunState } from "../../../provider/engine/run/run-state";
import type { PropertyMap } from "../../../provider/schema/schema";
import type { Platform } from "../platform";
import { pluginHost } from "./plugin-host";

/** The hosts that offer the handlers of a resource to the engine. */
export type HostName = "dynamic" | "plugin";

/** The host that the Jest project selects. */
export const { RESOURCE_HOST = "dynamic" } = globalThis as { RESOURCE_HOST?: HostName };

export interface HostOptions {
  kind?: string;
  organization?: string;
  /** Settings, without the `agentgraph:` prefix. */
  config?: Record<string, string>;
  host?: HostName;
}

let processCount = 0;

/** Starts and configures a provider process. @param show Shows a message on the row of the resource. */
export function startHost(
  { kind = "Deployment", organization = "acme", host: name = RESOURCE_HOST, config }: HostOptions,
  { clock, url }: Pick<Platform, "clock" | "url">,
  { urn, show, run }: { urn: string; show(message: string): unknown; run: RunState },
): Lifecycle {
  const definition = definitions.find((one) => one.kind === kind);
  if (!definition) throw new Error(`there is no ${kind}`);
  const report: Report = {
    show: (kind, _urn, text) => void (kind === "debug" || show(`${kind}: ${text}`)),
    flush: async () => {},
  };
  const settings: Record<string, string> = { controlPlaneUrl: url, apiKey: `process-${processCount++}`, ...config };
  if (name === "plugin") return pluginHost({ definition, clock, report, urn, organization, settings, run });
  const host = lifecycle(definition, { clock, report, run });
  host.configure({ config: { get: (key: string) => settings[key.replace("agentgraph:", "")] } } as never);
  return host;
}

/** How the engine marks a secret. Written out: most tests would load the SDK of Pulumi for these two words alone. */
const [SIGNATURE, SECRET] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/** Returns a serialized copy with secrets in plain text. */
export function decryptSecrets(value: unknown): PropertyMap {
  return JSON.parse(JSON.stringify(value), (_key, part) => (part?.[SIGNATURE] === SECRET ? part.value : part));
}
