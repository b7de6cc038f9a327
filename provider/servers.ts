/** The servers that resources live on, and what their settings still lack. */

type Url = "controlPlaneUrl" | "tracingApiUrl";
/** The settings that a request may need, as they were given. */
type Given = Partial<Record<Url | "tenantId" | "apiKey" | "apiKeyEnv" | "bearerToken", string>>;

/** The servers that resources live on, and the settings that a request to each needs beside a key (interface section 5). */
export const SERVERS = {
  controlPlane: ["controlPlaneUrl"],
  tracing: ["tracingApiUrl", "tenantId"],
} as const satisfies Record<string, readonly [url: Url, ...others: (Url | "tenantId")[]]>;
export type ServerName = keyof typeof SERVERS;

/** How the value of a setting is written in the command that sets it. */
const VALUES: Partial<Record<keyof Given, string>> = {
  controlPlaneUrl: "<url>",
  tracingApiUrl: "<url>",
  tenantId: "<id>",
};

/** What the first request to a server will miss, in one message; undefined when nothing is. */
export function missingSettings(
  server: ServerName,
  given: Given,
  apiKey: string | undefined,
  explicit: boolean,
): string | undefined {
  const keyEnv = given.apiKeyEnv;
  const missing: Partial<Record<keyof Given, string>> = {};
  const how = (name: keyof Given, command: string) =>
    explicit
      ? "give it to the Provider as an argument."
      : `run \`pulumi config set ${command}\`, or set the environment variable ${environmentName(name)}.`;
  for (const name of SERVERS[server]) {
    if (given[name] === undefined) missing[name] = how(name, `agentgraph:${name} ${VALUES[name]}`);
  }
  const key = apiKey || given.bearerToken;
  if (!key && keyEnv)
    missing.apiKey = `the environment variable ${keyEnv}, which apiKeyEnv names, is empty or not set.`;
  else if (!key) missing.apiKey = how("apiKey", "--secret agentgraph:apiKey <key>");
  const names = Object.keys(missing);
  if (names.length === 0) return undefined;
  // A resource's row shows the first line only, so that one names them.
  const lines = Object.entries(missing).map(([name, text]) => `  ${name}: ${text}`);
  return [`Settings are missing: ${names.join(", ")}`, ...lines].join("\n");
}

/** `controlPlaneUrl` -> `AGENTGRAPH_CONTROL_PLANE_URL`. */
export function environmentName(key: string): string {
  return `AGENTGRAPH_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
