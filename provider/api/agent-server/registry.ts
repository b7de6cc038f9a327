/**
 * Where agent servers are, and which of them get the key. What many threads of one deployment need is asked once: its
 * address, whether it serves, and whether its address is one that the control plane knows.
 */
import type { HttpClient } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { isLoopback } from "../../http/loopback";
import { UserError } from "../../text/user-error";
import type { CaseMapper } from "../case-mapper";
import type { Deployment } from "../control-plane/client";
import type { DeploymentCache } from "../control-plane/deployment-cache";
import { AgentServerClient, type checkHealth } from "./client";

/** How old an address may be before it is asked anew: within it the parallel parts of one run fit. Milliseconds. */
const MAX_ADDRESS_AGE_MS = 20_000;

export interface AgentServerRegistryOptions {
  clock: Clock;
  caseMapper: CaseMapper;
  deploymentCache: () => DeploymentCache;
  /** Whether the settings say how to ask the control plane. */
  hasControlPlane: boolean;
  /** Origins that may have the key, whatever the control plane knows. */
  trustedOrigins: readonly string[];
  /** Whether there is a key, or a header, to be sent at all. */
  hasCredentials: boolean;
  allowInsecureHttp: boolean;
  checkHealth: (url: string) => ReturnType<typeof checkHealth>;
  createHttpClient: (baseUrl: URL, isTrusted: boolean) => HttpClient;
}

export class AgentServerRegistry {
  private readonly servers = new Map<string, AgentServerClient>();
  private readonly deployments = new Map<string, { at: number; deployment: Promise<Deployment | undefined> }>();
  private readonly origins = new Map<string, Promise<boolean>>();

  constructor(private readonly options: AgentServerRegistryOptions) {}

  /** A deployment as it is now, or was a moment ago if it served then; undefined when the control plane says 404 for it. */
  findDeployment(id: string): Promise<Deployment | undefined> {
    const now = this.options.clock.monotonic();
    const trustedServer = this.deployments.get(id);
    if (trustedServer && now - trustedServer.at <= MAX_ADDRESS_AGE_MS) return trustedServer.deployment;
    const deployment = this.options.deploymentCache().findById(id);
    this.deployments.set(id, { at: now, deployment: deployment });
    const forget = () => {
      if (this.deployments.get(id)?.deployment === deployment) this.deployments.delete(id);
    };
    deployment.then((findDeployment) => findDeployment?.sourceConfig?.customUrl || forget(), forget);
    return deployment;
  }

  /** The server at an address that the control plane told. */
  trustedServer(url: string): AgentServerClient {
    return this.server(url, true);
  }

  /**
   * The server at an address that somebody wrote. A mistyped one must not leak a key.
   * @throws UserError when the address is not safe. @throws HttpError when the control plane, asked for it, fails.
   */
  async serverFromUserUrl(url: string): Promise<AgentServerClient> {
    return this.server(url, await this.isTrusted(new URL(url).origin));
  }

  private async isTrusted(origin: string): Promise<boolean> {
    const { trustedOrigins, hasCredentials, hasControlPlane, deploymentCache } = this.options;
    if (trustedOrigins.includes(origin)) return true;
    if (!hasCredentials || !hasControlPlane) return false;
    const request = this.origins.get(origin) ?? deploymentCache().hasOrigin(origin);
    this.origins.set(origin, request);
    return request
      .then((isTrusted) => {
        if (!isTrusted) this.origins.delete(origin);
        return isTrusted;
      })
      .catch((error: unknown) => {
        this.origins.delete(origin);
        if (!(error instanceof HttpError)) throw error;
        throw error.withHint(
          `Whether ${origin} may have the key is not known, since the control plane does not tell its deployments. Name it in the setting agentOrigins if it may.`,
        );
      });
  }

  private server(address: string, isTrusted: boolean): AgentServerClient {
    const url = address.replace(/\/+$/, "");
    const { createHttpClient, caseMapper, checkHealth } = this.options;
    const key = JSON.stringify([url, isTrusted]);
    const server =
      this.servers.get(key) ??
      new AgentServerClient({
        url,
        caseMapper,
        http: createHttpClient(this.assertSecure(url), isTrusted),
        checkHealth: () => checkHealth(url),
      });
    this.servers.set(key, server);
    return server;
  }

  private assertSecure(address: string): URL {
    const url = new URL(address);
    if (url.protocol === "https:" || isLoopback(url) || this.options.allowInsecureHttp) return url;
    throw new UserError(
      `The agent server's address ${url.origin} is plain http: what threads hold, and a key, would cross the network readable. Use https (the setting allowInsecureHttp: true overrides this).`,
    );
  }
}
