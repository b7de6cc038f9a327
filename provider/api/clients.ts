/** Settings -> clients. Loaded at the first request, since undici is not needed before. */
import { type Content, createLimits, HttpClient, type HttpClientOptions } from "../http/client";
import type { Clock } from "../http/clock";
import { HttpError } from "../http/errors";
import type { ServerFacts } from "../http/hints";
import { noRetry, type RetryPolicy } from "../http/retry";
import { assertUploadUrl, uploadHeaders } from "../http/upload-url";
import { describeMissing } from "../settings/missing-settings";
import { SERVERS, type ServerName } from "../settings/servers";
import { type Settings, SettingsError } from "../settings/settings";
import { checkHealth } from "./agent-server/client";
import { AgentServerRegistry } from "./agent-server/registry";
import { CaseMapper } from "./case-mapper";
import { ControlPlaneClient } from "./control-plane/client";
import { DeploymentCache } from "./control-plane/deployment-cache";
import { RevisionClient } from "./control-plane/revisions";
import { SourceClient } from "./control-plane/sources";
import { TracingClient } from "./tracing/client";
import { ProjectCache } from "./tracing/project-cache";

/** 200 MiB, the largest tarball, through a slow line. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

/** Said when an agent server that was sent no key refuses. */
const UNTRUSTED_HINT =
  "No key was sent: this server is neither at the control plane's origin nor a deployment of it. If it may have the key, or agentHeaders, name its origin in the setting agentOrigins.";

/** One set of clients, and so one budget, for each server and process, whatever the number of resource types. */
const clients = new Map<string, Clients>();

export function createClients(settings: Settings, clock: Clock): Clients {
  const identity = JSON.stringify([
    settings.controlPlaneUrl?.href ?? null,
    settings.tracingApiUrl?.href ?? null,
    settings.auth ?? null,
    settings.tenantId ?? null,
    settings.vocabulary,
    settings.agentHeaders,
    settings.agentOrigins,
  ]);
  const existing = clients.get(identity) ?? new Clients(settings, clock);
  clients.set(identity, existing);
  return existing;
}

/** Each client is made when it is first used: a program pays for the servers it talks to, and needs their settings only. */
export class Clients {
  private readonly instances = new Map<string, unknown>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    /** Of every server; the door's own when absent. */
    private readonly retry?: RetryPolicy,
  ) {}

  get controlPlane(): ControlPlaneClient {
    return this.memoize("controlPlane", () => new ControlPlaneClient(this.http("controlPlane"), this.caseMapper));
  }

  get deploymentCache(): DeploymentCache {
    return this.memoize("deploymentCache", () => new DeploymentCache(this.controlPlane, this.clock));
  }

  get tracing(): TracingClient {
    return this.memoize("tracing", () => new TracingClient(this.http("tracing"), this.caseMapper));
  }

  get projectCache(): ProjectCache {
    return this.memoize("projectCache", () => new ProjectCache(this.tracing, this.clock));
  }

  get sources(): SourceClient {
    return this.memoize("sources", () => new SourceClient(this.http("controlPlane"), this.caseMapper));
  }

  get revisions(): RevisionClient {
    return this.memoize("revisions", () => new RevisionClient(this.http("controlPlane"), this.caseMapper));
  }

  get agentServers(): AgentServerRegistry {
    const { settings, clock, caseMapper } = this;
    const { controlPlaneUrl, agentOrigins, missing, auth, agentHeaders, allowInsecureHttp } = settings;
    const create = () =>
      new AgentServerRegistry({
        clock,
        caseMapper,
        allowInsecureHttp,
        deploymentCache: () => this.deploymentCache,
        hasControlPlane: missing.controlPlane.length === 0,
        trustedOrigins: controlPlaneUrl ? [controlPlaneUrl.origin, ...agentOrigins] : agentOrigins,
        hasCredentials: auth !== undefined || Object.keys(agentHeaders).length > 0,
        checkHealth: this.checkHealth,
        createHttpClient: (baseUrl, trusted) =>
          new HttpClient({ ...this.shared, baseUrl, ...this.agentCredentials(trusted) }),
      });
    return this.memoize("agentServers", create);
  }

  serverNow(server: ServerName): number {
    return this.http(server).serverNow();
  }

  clockSkewMs(server: ServerName): number {
    return this.http(server).clockSkewMs;
  }

  readonly checkAgentHealth = (urlSetting: string): Promise<HttpError | undefined> =>
    this.checkHealth(urlSetting).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof HttpError) return error;
        throw error;
      },
    );

  /** A mistyped address must not leak a key, so an agent server gets none; the wait itself looks again, so no retry. */
  private readonly checkHealth = async (urlSetting: string): ReturnType<typeof checkHealth> => {
    const agent = new HttpClient({ ...this.shared, baseUrl: new URL(urlSetting), headers: {}, retry: noRetry });
    return checkHealth(agent).finally(() => agent.close());
  };

  /**
   * Puts content at a signed address. No key is sent.
   * @throws UserError when the address is not accepted.
   */
  readonly upload = async (urlSetting: string, headers: Record<string, string>, content: Content): Promise<void> => {
    const bucket = new HttpClient({
      ...this.shared,
      baseUrl: assertUploadUrl(urlSetting, this.settings),
      headers: uploadHeaders(headers),
      requestTimeoutMs: UPLOAD_TIMEOUT_MS,
    });
    await bucket.send({ method: "PUT", path: "", content }).finally(() => bucket.close());
  };

  /** A handler of the agent server's own may want a header in a form of its own: what is declared wins. */
  private agentCredentials(trusted: boolean): Pick<HttpClientOptions, "headers" | "facts"> {
    const { auth, tenantId, agentHeaders } = this.settings;
    if (!trusted) return { headers: {}, facts: { rejectionHint: UNTRUSTED_HINT } };
    const declaredNames = new Set(Object.keys(agentHeaders).map((name) => name.toLowerCase()));
    const defaults = Object.entries({ ...authHeaders(auth), ...tenantHeader(tenantId) });
    const headers = Object.fromEntries(defaults.filter(([name]) => !declaredNames.has(name.toLowerCase())));
    return { headers: { ...headers, ...agentHeaders }, facts: serverFacts(this.settings) };
  }

  private get caseMapper(): CaseMapper {
    return new CaseMapper(this.settings.vocabulary);
  }

  private get shared(): Pick<
    HttpClientOptions,
    "clock" | "requestsPerSecond" | "maxConcurrentRequests" | "requestTimeoutMs" | "retry"
  > {
    const { requestsPerSecond, maxConcurrentRequests, requestTimeoutMs } = this.settings;
    const { clock, retry } = this;
    return { clock, requestsPerSecond, maxConcurrentRequests, requestTimeoutMs, ...(retry && { retry }) };
  }

  /**
   * The door to a server. Two servers at the same address are one, with one budget.
   * @throws SettingsError when a setting that its requests need is missing.
   */
  http(server: ServerName): HttpClient {
    const { missing, auth, tenantId } = this.settings;
    const baseUrl = this.settings[SERVERS[server][0]];
    if (!baseUrl || !auth || missing[server].length > 0) throw new SettingsError(describeMissing(missing[server]));
    const headers = { ...authHeaders(auth, server), ...tenantHeader(tenantId) };
    return this.memoize(`${baseUrl.href} ${Object.keys(headers)}`, () => {
      const limits = this.memoize(`limits of ${baseUrl.href}`, () => createLimits(this.shared));
      return new HttpClient({ ...this.shared, baseUrl, headers, limits, facts: serverFacts(this.settings, server) });
    });
  }

  private memoize<T>(name: string, create: () => T): T {
    if (!this.instances.has(name)) this.instances.set(name, create());
    return this.instances.get(name) as T;
  }
}

const tenantHeader = (tenantId: string | undefined): Record<string, string> =>
  tenantId === undefined ? {} : { "X-Tenant-Id": tenantId };

/**
 * The interface wants an API key on each request of the tracing API. The other servers get the bearer token where there is
 * one: whoever sets both has the API key for bulk exports.
 */
function authHeaders(auth: Settings["auth"], server?: ServerName): Record<string, string> {
  const { apiKey, bearerToken } = auth ?? {};
  if (apiKey && (server === "tracing" || !bearerToken)) return { "X-Api-Key": apiKey };
  return bearerToken ? { Authorization: `Bearer ${bearerToken}` } : {};
}

/** @param server The one that the settings name; an agent server's address comes from elsewhere. */
function serverFacts({ auth, sources, tenantId }: Settings, server?: ServerName): ServerFacts {
  const setting = "Authorization" in authHeaders(auth, server) ? "bearerToken" : "apiKey";
  const urlSetting = server && SERVERS[server][0];
  const lacksKey = server === "tracing" && setting === "bearerToken";
  return {
    ...(urlSetting && { address: `${urlSetting}, from ${sources[urlSetting]}` }),
    credential: setting === "apiKey" ? "API key" : "bearer token",
    ...(sources[setting] && { credentialSource: `from ${sources[setting]}` }),
    workspace: tenantId === undefined ? "tenantId is not set" : `${tenantId}, from ${sources.tenantId}`,
    ...(lacksKey && {
      rejectionHint: "Bulk exports require an API key, and only a bearer token is set: set apiKey, too.",
    }),
  };
}
