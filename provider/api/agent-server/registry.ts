/** Resolves agent servers. The threads of a deployment share its requests for URL, readiness and trust. */
import type { Clock } from "../../http/clock";
import { isLoopback } from "../../http/loopback";
import { normalizeUrl } from "../../schema/normal-form";
import { truncate } from "../../text/format";
import { printed } from "../../text/issue-message";
import { UserError } from "../../text/user-error";
import type { Deployment } from "../control-plane/client";
import type { JsonClient } from "../json-client";
import { AgentServerClient, type checkHealth } from "./client";
import { type AddressedDeployment, CredentialTrust, type CredentialTrustOptions } from "./credential-trust";

/** How long a deployment's URL is reused: long enough for the concurrent operations of one run. */
const MAX_URL_AGE_MS = 20_000;

export interface AgentServerRegistryOptions extends CredentialTrustOptions {
  clock: Clock;
  allowInsecureHttp: boolean;
  checkHealth: (url: string) => ReturnType<typeof checkHealth>;
  createJsonClient: (baseUrl: URL, isTrusted: boolean) => JsonClient;
}

export class AgentServerRegistry {
  private readonly servers = new Map<string, AgentServerClient>();
  private readonly deployments = new Map<string, { at: number; deployment: Promise<Deployment | undefined> }>();
  private readonly trust: CredentialTrust;

  constructor(private readonly options: AgentServerRegistryOptions) {
    this.trust = new CredentialTrust(options);
  }

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
    deployment.then((result) => result?.url || evict(), evict);
    return deployment;
  }

  /** Returns the server; undefined without a URL. @throws UserError when it may be anyone's, or is not encrypted. */
  serverOf(deployment: AddressedDeployment): AgentServerClient | undefined {
    const { url } = deployment;
    if (!url) return undefined;
    return this.server(url, this.trust.isTrustedDeployment(deployment, parseAgentServerUrl(url).origin));
  }

  /** Returns the server at a program's URL. @throws UserError when unencrypted, or a member wrote it. */
  async serverFromUserUrl(url: string): Promise<AgentServerClient> {
    return this.server(url, await this.trust.isTrustedOrigin(parseAgentServerUrl(url).origin));
  }

  /** Returns a server of a deployment for requests without credentials. */
  withoutCredentials(url: string): AgentServerClient {
    return this.server(url, false);
  }

  /** @param nouns What is read, in the plural, for errors. @throws UserError without the deployment, or its URL. */
  async resolve(
    nouns: string,
    { deploymentId = "", deploymentUrl }: { deploymentId?: string | undefined; deploymentUrl?: string | undefined },
  ): Promise<AgentServerClient> {
    if (deploymentUrl !== undefined) return this.serverFromUserUrl(deploymentUrl);
    const deployment = await this.findDeployment(deploymentId);
    if (!deployment)
      throw new UserError(
        `No deployment with ID ${deploymentId} exists in this workspace. Check the ID and the setting tenantId.`,
      );
    const server = this.serverOf(deployment);
    if (server) return server;
    throw new UserError(
      `Deployment ${deploymentId} has no URL (status ${deployment.status}), so its ${nouns} cannot be ` +
        "reached. Check that a revision of it is live.",
    );
  }

  private server(rawUrl: string, isTrusted: boolean): AgentServerClient {
    const base = this.assertSecure(normalizeUrl(rawUrl));
    // No request sends them, and state and backups contain the URL.
    Object.assign(base, { username: "", password: "" });
    const url = normalizeUrl(base);
    const { createJsonClient, checkHealth, clock } = this.options;
    const key = JSON.stringify([url, isTrusted]);
    const server =
      this.servers.get(key) ??
      new AgentServerClient({
        url,
        clock,
        json: createJsonClient(base, isTrusted),
        checkHealth: () => checkHealth(url),
      });
    this.servers.set(key, server);
    return server;
  }

  private assertSecure(rawUrl: string): URL {
    const url = parseAgentServerUrl(rawUrl);
    if (url.protocol === "https:" || isLoopback(url) || this.options.allowInsecureHttp) return url;
    throw new UserError(
      `The agent server at ${url.origin} uses plain HTTP; thread contents and the API key would be sent ` +
        "unencrypted. Use https, or set allowInsecureHttp: true to allow it.",
    );
  }
}

/** Parses a URL that a program or a response contains. @throws UserError when it is not an HTTP URL. */
export function parseAgentServerUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw new UserError(
    `The URL of the agent server is not valid: ${printed(truncate(text, 100))}. Expected ` +
      "https://host/path. Correct it where it comes from: --url, deploymentUrl or sourceConfig.customUrl.",
  );
}
