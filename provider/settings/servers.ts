/** The servers that resources live on, and what each needs. The SDK loads this, so it is small. */

export type UrlSetting = "controlPlaneUrl" | "tracingApiUrl";
/** The settings that a request may need, as they were given. */
export type RequestSettings = Partial<Record<UrlSetting | "tenantId" | "apiKey" | "apiKeyEnv" | "bearerToken", string>>;

/** The servers that resources live on, and the settings that a request to each needs beside a credential (interface section 5). */
export const SERVERS = {
  controlPlane: ["controlPlaneUrl"],
  tracing: ["tracingApiUrl", "tenantId"],
} as const satisfies Record<string, readonly [url: UrlSetting, ...others: (UrlSetting | "tenantId")[]]>;
export type ServerName = keyof typeof SERVERS;

/** `controlPlaneUrl` -> `AGENTGRAPH_CONTROL_PLANE_URL`. */
export function environmentName(key: string): string {
  return `AGENTGRAPH_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
