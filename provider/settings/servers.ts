/** The servers and the settings that each requires. The SDK loads this file, so it has no dependencies. */

export type UrlSetting = "controlPlaneUrl" | "tracingApiUrl";
export type RequestSettings = Partial<
  Record<UrlSetting | "url" | "tenantId" | "apiKey" | "apiKeyEnv" | "bearerToken", string>
>;

/** The setting with the URL of each server, where it is not `url`. */
export const SERVERS = { controlPlane: "controlPlaneUrl", tracing: "tracingApiUrl" } as const satisfies Record<
  string,
  UrlSetting
>;
export type ServerName = keyof typeof SERVERS;

/** Converts `controlPlaneUrl` to `AGENTGRAPH_CONTROL_PLANE_URL`. */
export function environmentName(key: string): string {
  return `AGENTGRAPH_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
