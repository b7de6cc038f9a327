/** Creates API clients from settings. Loaded at the first request, since it loads undici. */
import { type Content, HttpClient, type HttpClientOptions } from "../http/client";
import type { Clock } from "../http/clock";
import { Connections } from "../http/connections";
import { type HttpError, recover } from "../http/errors";
import { withAddressRemedy } from "../http/hints";
import { createLimits, type Limits } from "../http/limits";
import type { AttemptObserver } from "../http/messages";
import { noRetry, type RetryPolicy } from "../http/retry";
import { SERVERS, type ServerName } from "../settings/servers";
import { describeMissing, howToCorrect } from "../settings/setting-warnings";
import { type Settings, SettingsError } from "../settings/settings";
import { checkHealth } from "./agent-server/client";
import { agentCredentials, serverCredentials } from "./agent-server/credential-trust";
import { AgentServerRegistry, parseAgentServerUrl } from "./agent-server/registry";
import { CaseMapper } from "./case-mapper";
import { Connection, type Sender } from "./connection";
import { ControlPlaneClient } from "./control-plane/client";
import { DeploymentCache } from "./control-plane/deployment-cache";
import { RevisionClient } from "./control-plane/revisions";
import { SourceClient } from "./control-plane/sources";
import { assertUploadUrl, uploadHeaders } from "./control-plane/upload-url";
import { JsonClient } from "./json-client";
import { TracingClient } from "./tracing/client";
import { ProjectCache } from "./tracing/project-cache";
import { Workspaces } from "./workspaces";

/** Enough for the largest tarball, 200 MiB, over a slow connection. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

const UPLOAD_HINT =
  "The store rejected the signed upload URL, which may have expired. Run `pulumi up` again: it requests a new one.";

/** The clients of a run: all resource types of a process share those of a server, and so its rate limit. */
export class ClientPool {
  private readonly byIdentity = new Map<string, Clients>();

  /** Returns the clients of settings and their sources. @param observe Receives attempts of new clients. */
  get(settings: Settings, clock: Clock, observe?: AttemptObserver): Clients {
    const identity = JSON.stringify(settings);
    const clients = this.byIdentity.get(identity) ?? new Clients(settings, clock, undefined, observe);
    this.byIdentity.set(identity, clients);
    return clients;
  }

  async close(): Promise<void> {
    await Promise.all([...this.byIdentity.values()].map((clients) => clients.close()));
  }
}

/** Creates each client at its first use, so a program needs the settings only of the servers that it uses. */
export class Clients {
  private readonly instances = new Map<string, unknown>();
  /** By server, the path at which an earlier run found it. */
  private readonly knownPaths = new Map<ServerName, string>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    /** The retry policy for all servers; the default of HttpClient when absent. */
    private readonly retry?: RetryPolicy,
    private readonly observe?: AttemptObserver,
  ) {}

  get controlPlane(): ControlPlaneClient {
    return this.memoize(
      "controlPlane",
      () => new ControlPlaneClient(this.json("controlPlane"), this.clock, this.settings.profile),
    );
  }

  get deploymentCache(): DeploymentCache {
    return this.memoize("deploymentCache", () => new DeploymentCache(this.controlPlane, this.clock));
  }

  get tracing(): TracingClient {
    return this.memoize("tracing", () => new TracingClient(this.json("tracing"), this.clock));
  }

  get projectCache(): ProjectCache {
    return this.memoize("projectCache", () => new ProjectCache(this.tracing, this.clock));
  }

  get sources(): SourceClient {
    return this.memoize("sources", () => new SourceClient(this.json("controlPlane")));
  }

  get revisions(): RevisionClient {
    return this.memoize("revisions", () => new RevisionClient(this.json("controlPlane")));
  }

  get agentServers(): AgentServerRegistry {
    const { settings, clock } = this;
    const { controlPlaneUrl, agentOrigins, missing, auth, agentHeaders, allowInsecureHttp } = settings;
    const create = () =>
      new AgentServerRegistry({
        clock,
        allowInsecureHttp,
        deploymentCache: () => this.deploymentCache,
        controlPlaneUrl: missing.controlPlane.length === 0 ? controlPlaneUrl : undefined,
        agentOrigins,
        trustedOrigins: controlPlaneUrl ? [controlPlaneUrl.origin, ...agentOrigins] : agentOrigins,
        hasCredentials: auth !== undefined || Object.keys(agentHeaders).length > 0,
        checkHealth: this.checkHealth,
        createJsonClient: (baseUrl, trusted) => {
          const limits = this.limitsOf(baseUrl.origin);
          const credentials = agentCredentials(this.inWorkspace(this.tenantId), baseUrl, trusted);
          const agent = new HttpClient({ ...this.sharedOptions, baseUrl, limits, isTraced: trusted, ...credentials });
          return this.decoding(agent, "Does the URL point to an agent server?");
        },
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
      recover(
        () => true,
        (error) => error,
      ),
    );

  /** Sends no credentials, since a mistyped URL must not leak them. Does not retry, since the caller polls. */
  private readonly checkHealth = async (urlSetting: string): ReturnType<typeof checkHealth> => {
    const baseUrl = parseAgentServerUrl(urlSetting);
    const limits = this.limitsOf(baseUrl.origin);
    const agent = new HttpClient({ ...this.commonOptions, baseUrl, limits, headers: {}, retry: noRetry });
    return checkHealth(agent).finally(() => agent.close());
  };

  /** Uploads a file to a signed URL, without credentials. @throws UserError when the URL is not accepted. */
  readonly upload = async (url: string, headers: Record<string, string>, content: Content): Promise<void> => {
    const bucket = new HttpClient({
      ...this.commonOptions,
      baseUrl: assertUploadUrl(url, this.settings),
      headers: uploadHeaders(headers),
      facts: { rejectionHint: UPLOAD_HINT },
      requestTimeoutMs: UPLOAD_TIMEOUT_MS,
    });
    await bucket.send({ method: "PUT", path: "", content }).finally(() => bucket.close());
  };

  private json(server: ServerName): JsonClient {
    const { sources } = this.settings;
    const addressRemedy = howToCorrect(sources[SERVERS[server]]);
    const hint = `Is ${sources.url ? "url" : SERVERS[server]} correct?`;
    return this.decoding(this.http(server), withAddressRemedy(hint, { addressRemedy }));
  }

  private decoding(http: Sender, hint: string): JsonClient {
    return new JsonClient(http, new CaseMapper(this.settings.vocabulary), hint);
  }

  private get commonOptions(): Pick<
    HttpClientOptions,
    "clock" | "requestsPerSecond" | "maxConcurrentRequests" | "requestTimeoutMs" | "retry" | "observe"
  > {
    const { requestsPerSecond, maxConcurrentRequests, requestTimeoutMs } = this.settings;
    const { clock, retry, observe } = this;
    return { clock, observe, requestsPerSecond, maxConcurrentRequests, requestTimeoutMs, ...(retry && { retry }) };
  }

  private get sharedOptions() {
    const connections = this.memoize("connections", () => new Connections(this.commonOptions));
    return { ...this.commonOptions, connections };
  }

  /** All servers behind one address share its limits: a thousand agents behind one ingress, and the APIs on it. */
  private limitsOf(origin: string): Limits {
    return this.memoize(`limits of ${origin}`, () => createLimits(this.commonOptions));
  }

  /** Closes all connections. A later request opens new ones. */
  readonly close = (): Promise<void> => this.sharedOptions.connections.close();

  /** The workspace of requests, as far as it is known. */
  get tenantId(): string | undefined {
    return this.workspaces.id;
  }

  get workspaces(): Workspaces {
    const { tracingApiUrl, auth, tenantId, isExplicit, sources } = this.settings;
    const open = () => (tracingApiUrl && auth ? this.open("tracing", tracingApiUrl, undefined) : undefined);
    const known = { tenantId, source: sources.tenantId, explicit: isExplicit };
    return this.memoize("workspaces", () => new Workspaces({ ...known, http: open() }));
  }

  /** Where a server was found that is not at the URL of the settings, so that later runs begin there. */
  pathOf(server: ServerName): string | undefined {
    return this.connectionTo(server)?.path;
  }

  /** Begins at the path at which an earlier run found a server. */
  recallPath(server: ServerName, path: string | undefined): void {
    if (path !== undefined) this.knownPaths.set(server, path);
    this.connectionTo(server)?.startAt(path);
  }

  private connectionTo = (server: ServerName) => this.instances.get(`http of ${server}`) as Connection | undefined;

  /** Servers at one address share limits, not errors. @throws SettingsError when a required setting is missing. */
  http(server: ServerName): Sender {
    const { missing, auth, otherUrls } = this.settings;
    const baseUrl = this.settings[SERVERS[server]];
    if (!baseUrl || !auth || missing[server].length > 0) throw new SettingsError(describeMissing(missing[server]));
    return this.memoize(`http of ${server}`, () => {
      const connection = new Connection({
        ...{ baseUrl, otherUrl: otherUrls[server], workspaces: this.workspaces },
        needsWorkspace: server === "tracing",
        create: (url, tenantId) => this.open(server, url, tenantId),
      });
      connection.startAt(this.knownPaths.get(server));
      return connection;
    });
  }

  private open(server: ServerName, baseUrl: URL, tenantId: string | undefined): HttpClient {
    const shared = { ...this.sharedOptions, limits: this.limitsOf(baseUrl.origin), isTraced: true };
    return new HttpClient({ ...shared, ...serverCredentials(this.inWorkspace(tenantId), server), baseUrl });
  }

  private inWorkspace(tenantId: string | undefined): Settings {
    const sources = { tenantId: "the API key, which has no other workspace", ...this.settings.sources };
    return { ...this.settings, tenantId, sources };
  }

  private memoize<T>(name: string, create: () => T): T {
    if (!this.instances.has(name)) this.instances.set(name, create());
    return this.instances.get(name) as T;
  }
}
