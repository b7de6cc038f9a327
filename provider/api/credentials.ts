/** The credentials that each server receives, and what errors say of them. */
import type { HttpClientOptions } from "../http/client";
import type { ServerFacts } from "../http/hints";
import { SERVERS, type ServerName } from "../settings/servers";
import type { Settings } from "../settings/settings";
import { howToTrust } from "./agent-server/credential-trust";

type Credentials = Pick<HttpClientOptions, "headers" | "facts">;

export const serverCredentials = (settings: Settings, server: ServerName): Credentials => ({
  headers: { ...authHeaders(settings.auth, server), ...tenantHeader(settings.tenantId) },
  facts: serverFacts(settings, server),
});

/** Custom authentication of an agent server may need a header in another format, so declared headers win. */
export function agentCredentials(settings: Settings, { origin }: URL, isTrusted: boolean): Credentials {
  const { auth, tenantId, agentHeaders, agentOrigins } = settings;
  if (!isTrusted) {
    const rejectionHint = `No API key was sent: the control plane did not assign the address of this server. ${howToTrust(origin, agentOrigins)}`;
    return { headers: {}, facts: { rejectionHint } };
  }
  const declaredNames = new Set(Object.keys(agentHeaders).map((name) => name.toLowerCase()));
  const defaults = Object.entries({ ...authHeaders(auth), ...tenantHeader(tenantId) });
  const headers = Object.fromEntries(defaults.filter(([name]) => !declaredNames.has(name.toLowerCase())));
  return { headers: { ...headers, ...agentHeaders }, facts: serverFacts(settings) };
}

const tenantHeader = (tenantId: string | undefined): Record<string, string> =>
  tenantId === undefined ? {} : { "X-Tenant-Id": tenantId };

/**
 * Returns the credentials for a server. The interface requires an API key for the tracing API; other servers receive
 * the bearer token if it is set.
 */
function authHeaders(auth: Settings["auth"], server?: ServerName): Record<string, string> {
  const { apiKey, bearerToken } = auth ?? {};
  if (apiKey && (server === "tracing" || !bearerToken)) return { "X-Api-Key": apiKey };
  return bearerToken ? { Authorization: `Bearer ${bearerToken}` } : {};
}

/** @param server Undefined for an agent server, whose URL does not come from the settings. */
function serverFacts({ auth, sources, stored, tenantId }: Settings, server?: ServerName): ServerFacts {
  const setting = "Authorization" in authHeaders(auth, server) ? "bearerToken" : "apiKey";
  const urlSetting = server && SERVERS[server][0];
  const lacksKey = server === "tracing" && setting === "bearerToken";
  return {
    ...(urlSetting && { address: `${urlSetting}, from ${sources[urlSetting]}` }),
    credential: setting === "apiKey" ? "API key" : "bearer token",
    ...(sources[setting] && { credentialSource: `from ${sources[setting]}` }),
    workspace: tenantId === undefined ? "tenantId is not set" : `${tenantId}, from ${sources.tenantId}`,
    isAddressStored: urlSetting !== undefined && stored.includes(urlSetting),
    isCredentialStored: stored.includes(setting) || stored.includes("tenantId"),
    ...(lacksKey && {
      rejectionHint: "Bulk exports require an API key, but only a bearer token is set. Set apiKey as well.",
    }),
  };
}
