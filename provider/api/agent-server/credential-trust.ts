/**
 * The credentials that each server receives, and what errors say of them. Agent servers receive them at the origin of
 * the control plane, at those in the setting agentOrigins, and at URLs that the control plane assigned: any member of a
 * workspace can write the URL of a deployment with an external image.
 */
import type { HttpClientOptions } from "../../http/client";
import { addHint } from "../../http/errors";
import type { ServerFacts } from "../../http/hints";
import { isLoopback } from "../../http/loopback";
import { SERVERS, type ServerName } from "../../settings/servers";
import { howToCorrect, howToSet } from "../../settings/setting-warnings";
import type { Settings } from "../../settings/settings";
import { UserError } from "../../text/user-error";
import type { Deployment } from "../control-plane/client";
import type { DeploymentCache } from "../control-plane/deployment-cache";

export interface CredentialTrustOptions {
  deploymentCache: () => DeploymentCache;
  /** Undefined if settings for requests to the control plane are missing. */
  controlPlaneUrl: URL | undefined;
  /** Origins that receive credentials without a check against the control plane. */
  trustedOrigins: readonly string[];
  /** The setting agentOrigins, which error messages extend. */
  agentOrigins: readonly string[];
  /** Whether the settings contain an API key, a token or headers for agent servers. */
  hasCredentials: boolean;
}

/** What decides whose address it is. */
export type AddressedDeployment = Pick<Deployment, "id" | "source" | "url">;

/** Whether the control plane certainly assigned the URL: not of external images (API `2A.SourceConfig.custom_url`). */
const hasAssignedUrl = ({ source }: Pick<AddressedDeployment, "source">): boolean =>
  Boolean(source) && !source?.startsWith("external");

/** What the name of a host may contain in a command: a quote in it, which URLs allow, would end the argument. */
const SAFE_ORIGIN = /^[\w.:/[\]-]+$/;

/** Returns how an origin receives credentials. @param agentOrigins The setting as it is. */
function howToTrust(origin: string, agentOrigins: readonly string[]): string {
  const advice = "If this server may receive the API key and agentHeaders, add its origin to the setting agentOrigins";
  const value = JSON.stringify([...agentOrigins, origin]);
  if (!SAFE_ORIGIN.test(origin)) return `${advice}.`;
  return (
    `${advice}:  pulumi config set agentgraph:agentOrigins '${value}'  (with an explicit Provider: its argument ` +
    "agentOrigins)"
  );
}

export class CredentialTrust {
  private readonly origins = new Map<string, Promise<boolean>>();

  constructor(private readonly options: CredentialTrustOptions) {}

  /** Whether a server gets credentials. @throws UserError if anyone may have set its URL: a 404 may hide an object. */
  isTrustedDeployment(deployment: AddressedDeployment, origin: string): boolean {
    const { trustedOrigins, hasCredentials } = this.options;
    if (trustedOrigins.includes(origin)) return true;
    if (!hasCredentials) return false;
    if (hasAssignedUrl(deployment) && this.isReachableFromControlPlane(origin)) return true;
    throw this.refusal(deployment, origin);
  }

  /**
   * Returns whether the server at a URL from a program receives credentials: only when the control plane assigned its
   * origin to a deployment, since a mistyped URL must not leak them.
   * @throws UserError when a member of the workspace wrote this origin. @throws HttpError when the control plane fails.
   */
  isTrustedOrigin(origin: string): Promise<boolean> {
    if (this.options.trustedOrigins.includes(origin)) return Promise.resolve(true);
    if (!this.options.hasCredentials || !this.isReachableFromControlPlane(origin)) return Promise.resolve(false);
    const request = this.origins.get(origin) ?? this.isListed(origin);
    this.origins.set(origin, request);
    const forget = () => this.origins.delete(origin);
    request.then((isTrusted) => isTrusted || forget(), forget);
    return request;
  }

  /** A control plane elsewhere knows nothing of a server on this machine. */
  private isReachableFromControlPlane(origin: string): boolean {
    const { controlPlaneUrl } = this.options;
    return controlPlaneUrl !== undefined && (!isLoopback(new URL(origin)) || isLoopback(controlPlaneUrl));
  }

  private async isListed(origin: string): Promise<boolean> {
    const isAtOrigin = ({ url }: AddressedDeployment) => originOf(url) === origin;
    const cache = this.options.deploymentCache();
    const hint = addHint(
      `Could not verify that ${origin} belongs to the control plane at ` +
        `${this.options.controlPlaneUrl?.origin}, so no API key was sent. If it may receive the API key, add it ` +
        "to the setting agentOrigins.",
    );
    const isAssigned = (deployment: Deployment) => isAtOrigin(deployment) && hasAssignedUrl(deployment);
    if (await cache.findFirst(isAssigned).catch(hint)) return true;
    const chosen = await cache.findFirst(isAtOrigin).catch(hint);
    if (chosen) throw this.refusal(chosen, origin);
    return false;
  }

  private refusal({ id }: AddressedDeployment, origin: string): UserError {
    return new UserError(
      `No request was sent to ${origin}, the address of deployment ${id}: the control plane did not assign ` +
        `it, and any member of the workspace can set it.\n${howToTrust(origin, this.options.agentOrigins)}`,
    );
  }
}

const originOf = (url: string | null | undefined): string | undefined => URL.parse(url ?? "")?.origin;

type Credentials = Pick<HttpClientOptions, "headers" | "facts">;

export const serverCredentials = (settings: Settings, server: ServerName): Credentials => ({
  headers: { ...authHeaders(settings.auth, server), ...tenantHeader(settings.tenantId) },
  facts: serverFacts(settings, server),
});

/** Custom authentication of an agent server may need a header in another format, so declared headers win. */
export function agentCredentials(settings: Settings, { origin }: URL, isTrusted: boolean): Credentials {
  const { auth, tenantId, agentHeaders, agentOrigins } = settings;
  if (!isTrusted) {
    const rejectionHint =
      "No API key was sent: the control plane did not assign the address of this server. " +
      `${howToTrust(origin, agentOrigins)}`;
    return { headers: {}, facts: { rejectionHint } };
  }
  const declaredNames = new Set(Object.keys(agentHeaders).map((name) => name.toLowerCase()));
  const defaults = Object.entries({ ...authHeaders(auth), ...tenantHeader(tenantId) });
  const headers = Object.fromEntries(defaults.filter(([name]) => !declaredNames.has(name.toLowerCase())));
  return { headers: { ...headers, ...agentHeaders }, facts: serverFacts(settings) };
}

const tenantHeader = (tenantId: string | undefined): Record<string, string> =>
  tenantId === undefined ? {} : { "X-Tenant-Id": tenantId };

/** Returns the credentials for a server: an API key for the tracing API, otherwise a bearer token if it is set. */
function authHeaders(auth: Settings["auth"], server?: ServerName): Record<string, string> {
  const { apiKey, bearerToken } = auth ?? {};
  if (apiKey && (server === "tracing" || !bearerToken)) return { "X-Api-Key": apiKey };
  return bearerToken ? { Authorization: `Bearer ${bearerToken}` } : {};
}

/** @param server Undefined for an agent server, whose URL does not come from the settings. */
function serverFacts(settings: Settings, server?: ServerName): ServerFacts {
  const { auth, sources, stored, tenantId, regions, isExplicit } = settings;
  const setting = "Authorization" in authHeaders(auth, server) ? "bearerToken" : "apiKey";
  const urlSetting = server && SERVERS[server];
  const lacksKey = server === "tracing" && setting === "bearerToken";
  return {
    ...(urlSetting && {
      address: `${urlSetting}, from ${sources[urlSetting]}`,
      addressRemedy: howToCorrect(sources[urlSetting]),
    }),
    regions,
    credential: setting === "apiKey" ? "API key" : "bearer token",
    ...(sources[setting] && {
      credentialSource: `from ${sources[setting]}`,
      credentialRemedy: howToCorrect(sources[setting]),
    }),
    workspace: tenantId === undefined ? "tenantId is not set" : `${tenantId}, from ${sources.tenantId}`,
    isAddressStored: urlSetting !== undefined && stored.includes(urlSetting),
    isCredentialStored: stored.includes(setting) || stored.includes("tenantId"),
    ...(lacksKey && {
      rejectionHint:
        "Bulk exports require an API key, but only a bearer token is set. Set apiKey as well: " +
        `${howToSet("apiKey", isExplicit)}`,
    }),
  };
}
