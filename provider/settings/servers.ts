/** The servers that resources live on, what their settings still lack, and what of them is probably a mistake. */

type Url = "controlPlaneUrl" | "tracingApiUrl";
/** The settings that a request may need, as they were given. */
type Given = Partial<Record<Url | "tenantId" | "apiKey" | "apiKeyEnv" | "bearerToken", string>>;

/** The servers that resources live on, and the settings that a request to each needs beside a credential (interface section 5). */
export const SERVERS = {
  controlPlane: ["controlPlaneUrl"],
  tracing: ["tracingApiUrl", "tenantId"],
} as const satisfies Record<string, readonly [url: Url, ...others: (Url | "tenantId")[]]>;
export type ServerName = keyof typeof SERVERS;

/** How the value of a setting is written in the command that sets it. */
const VALUES: Record<Exclude<keyof Given, "apiKeyEnv" | "bearerToken">, string> = {
  controlPlaneUrl: "agentgraph:controlPlaneUrl <url>",
  tracingApiUrl: "agentgraph:tracingApiUrl <url>",
  tenantId: "agentgraph:tenantId <id>",
  apiKey: "--secret agentgraph:apiKey <key>",
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
  for (const name of SERVERS[server]) {
    if (given[name] === undefined) missing[name] = howToSet(name, explicit);
  }
  const key = apiKey || given.bearerToken;
  if (!key && keyEnv)
    missing.apiKey = `the environment variable ${keyEnv}, which apiKeyEnv names, is empty or not set.`;
  else if (!key) missing.apiKey = howToSet("apiKey", explicit);
  const names = Object.keys(missing);
  if (names.length === 0) return undefined;
  // A resource's row shows the first line only, so that one names them.
  const lines = Object.entries(missing).map(([name, text]) => `  ${name}: ${text}`);
  return [`Settings are missing: ${names.join(", ")}`, ...lines].join("\n");
}

const howToSet = (name: keyof typeof VALUES, explicit: boolean) =>
  explicit
    ? "give it to the Provider as an argument."
    : `run \`pulumi config set ${VALUES[name]}\`, or set the environment variable ${environmentName(name)}.`;

/** Something about the settings that no rule forbids. */
export interface Warning {
  /** Only resources on this server have to do with it; all of them when absent. */
  server?: ServerName;
  text: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How the paths of requests begin, which some people write at the end of the base URL too. */
const VERSIONS = { controlPlaneUrl: /\/v[12]\/*$/, tracingApiUrl: /(\/api)?\/v1\/*$/ } as const;

/** Values that a server may take, and most do not. */
export function settingWarnings(given: Given, sources: Partial<Record<string, string>>, explicit: boolean): Warning[] {
  const { tenantId, apiKey, bearerToken } = given;
  const warnings: Warning[] = [];
  if (tenantId !== undefined && !UUID.test(tenantId)) {
    const text = `tenantId: ${JSON.stringify(tenantId)} is not a UUID, so the server will probably reject it (from ${sources.tenantId}).`;
    warnings.push({ text });
  }
  for (const [server, [url]] of Object.entries(SERVERS) as [ServerName, readonly [Url]][]) {
    const [end] = VERSIONS[url].exec(given[url] ?? "") ?? [];
    if (end === undefined) continue;
    const base = given[url]?.slice(0, -end.length);
    const text = `${url}: ${given[url]} ends in ${end.replace(/\/+$/, "")}, which every request adds itself. Did you mean ${base}? (from ${sources[url]})`;
    warnings.push({ server, text });
  }
  if (bearerToken && !apiKey) {
    const text = `apiKey: bulk exports require an API key, and only a bearer token is set. To add one, ${howToSet("apiKey", explicit)}`;
    warnings.push({ server: "tracing", text });
  }
  return warnings;
}

/** `controlPlaneUrl` -> `AGENTGRAPH_CONTROL_PLANE_URL`. */
export function environmentName(key: string): string {
  return `AGENTGRAPH_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
