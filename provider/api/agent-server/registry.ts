/**
 * Resolves agent servers and decides which of them receive credentials. The threads of a deployment share the requests
 * for its URL, for its readiness, and for whether the control plane lists that URL.
 */

import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { isLoopback } from "../../http/loopback";
import { truncate } from "../../text/format";
import { UserError } from "../../text/user-error";
import type { Deployment } from "../control-plane/client";
import type { DeploymentCache } from "../control-plane/deployment-cache";
import type { JsonClient } from "../json-client";
import { AgentServerClient } from "./client";
import type { checkHealth } from "./health";

/** How long a deployment's URL is reused: long enough for the concurrent operations of one run. */
const MAX_URL_AGE_MS = 20_000;

export interface AgentServerRegistryOptions {
  clock: Clock;
  deploymentCache: () => DeploymentCache;
  /** Undefined if settings for requests to the control plane are missing. */
  controlPlaneUrl: URL | undefined;
  /** Origins that receive credentials without a check against the control plane. */
  trustedOrigins: readonly string[];
  /** Whether the settings contain an API key, a token or headers for agent servers. */
  hasCredentials: boolean;
  allowInsecureHttp: boolean;
  checkHealth: (url: string) => ReturnType<typeof checkHealth>;
  createJsonClient: (baseUrl: URL, isTrusted: boolean) => JsonClient;
}

export class AgentServerRegistry {
  private readonly servers = new Map<string, AgentServerClient>();
  private readonly deployments = new Map<string, { at: number; deployment: Promise<Deployment | undefined> }>();
  private readonly origins = new Map<string, Promise<boolean>>();

  constructor(private readonly options: AgentServerRegistryOptions) {}

  /** Returns a deployment, reused for MAX_URL_AGE_MS once it has a URL; undefined when it is gone. */
  findDeployment(id: string): Promise<Deployment | undefined> {
    const now = this.options.clock.monotonic();
    const cached = this.deployments.get(id);
    if (cached && now - cached.at <= MAX_URL_AGE_MS) return cached.deployment;
    const deployment = this.options.deploymentCache().findById(id);
    this.deployments.set(id, { at: now, deployment });
    const evict = () => {
      if (this.deployments.get(id)?.deployment === deployment) this.deployments.delete(id);
    };
    deployment.then((result) => result?.sourceConfig?.customUrl || evict(), evict);
    return deployment;
  }

  /** Returns the server at a URL from the control plane. */
  trustedServer(url: string): AgentServerClient {
    return this.server(url, true);
  }

  /**
   * Returns the server at a URL from a program. It receives credentials only when the control plane lists it, since a
   * mistyped URL must not leak them.
   * @throws UserError when the URL would send data unencrypted. @throws HttpError when the control plane fails.
   */
  async serverFromUserUrl(url: string): Promise<AgentServerClient> {
    return this.server(url, await this.isTrusted(parseAgentServerUrl(url).origin));
  }

  private async isTrusted(origin: string): Promise<boolean> {
    const { trustedOrigins, hasCredentials, controlPlaneUrl, deploymentCache } = this.options;
    if (trustedOrigins.includes(origin)) return true;
    if (!hasCredentials || !controlPlaneUrl) return false;
    // A control plane elsewhere cannot list a server of this machine.
    if (isLoopback(new URL(origin)) && !isLoopback(controlPlaneUrl)) return false;
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
          `Could not verify that ${origin} belongs to the control plane at ${controlPlaneUrl.origin}, so no API key was sent. If it may receive the API key, add it to the setting agentOrigins.`,
        );
      });
  }

  private server(rawUrl: string, isTrusted: boolean): AgentServerClient {
    const url = rawUrl.replace(/\/+$/, "");
    const { createJsonClient, checkHealth, clock } = this.options;
    const key = JSON.stringify([url, isTrusted]);
    const server =
      this.servers.get(key) ??
      new AgentServerClient({
        url,
        clock,
        json: createJsonClient(this.assertSecure(url), isTrusted),
        checkHealth: () => checkHealth(url),
      });
    this.servers.set(key, server);
    return server;
  }

  private assertSecure(rawUrl: string): URL {
    const url = parseAgentServerUrl(rawUrl);
    if (url.protocol === "https:" || isLoopback(url) || this.options.allowInsecureHttp) return url;
    throw new UserError(
      `The agent server at ${url.origin} uses plain HTTP; thread contents and the API key would be sent unencrypted. Use https, or set allowInsecureHttp: true to allow it.`,
    );
  }
}

/** Parses a URL that a program or a response contains. @throws UserError when it is not an HTTP URL. */
export function parseAgentServerUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new UserError(
    `The URL of the agent server is not valid: ${JSON.stringify(truncate(text, 100))}. Expected https://host/path. Check sourceConfig.customUrl of the deployment, or deploymentUrl.`,
  );
}
