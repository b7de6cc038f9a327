/** The servers and the settings that each requires. The SDK loads this file, so it has no dependencies. */

export type UrlSetting = "controlPlaneUrl" | "tracingApiUrl";
export type RequestSettings = Partial<Record<UrlSetting | "tenantId" | "apiKey" | "apiKeyEnv" | "bearerToken", string>>;

/** The settings that requests to each server require in addition to a credential (API `5`). */
export const SERVERS = {
  controlPlane: ["controlPlaneUrl"],
  tracing: ["tracingApiUrl", "tenantId"],
} as const satisfies Record<string, readonly [url: UrlSetting, ...others: (UrlSetting | "tenantId")[]]>;
export type ServerName = keyof typeof SERVERS;

/** Converts `controlPlaneUrl` to `AGENTGRAPH_CONTROL_PLANE_URL`. */
export function environmentName(key: string): string {
  return `AGENTGRAPH_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
