/**
 * Where agent servers are, and which of them get the key. What many threads of one deployment need is asked once: its
 * address, whether it serves, and whether its address is one that the control plane knows.
 */
import type { Door } from "../../http/client";
import type { Clock } from "../../http/clock";
import { RequestError } from "../../http/errors";
import { isLoopback } from "../../http/loopback";
import { UserError } from "../../text/user-error";
import type { Wire } from "../case-mapper";
import type { Deployment } from "../control-plane/client";
import type { Directory } from "../control-plane/deployment-cache";
import { AgentServer, type lookAtOk } from "./client";

/** How old an address may be before it is asked anew: within it the parallel parts of one run fit. Milliseconds. */
const ADDRESS_AGE = 20_000;

export interface AgentServersOptions {
  clock: Clock;
  wire: Wire;
  directory: () => Directory;
  /** Whether the settings say how to ask the control plane. */
  isDirectoryThere: boolean;
  /** Origins that may have the key, whatever the control plane knows. */
  trusted: readonly string[];
  /** Whether there is a key, or a header, to be sent at all. */
  hasCredentials: boolean;
  allowInsecureHttp: boolean;
  lookAtOk: (url: string) => ReturnType<typeof lookAtOk>;
  open: (baseUrl: URL, trusted: boolean) => Door;
}

export class AgentServers {
  private readonly servers = new Map<string, AgentServer>();
  private readonly deployments = new Map<string, { at: number; seen: Promise<Deployment | undefined> }>();
  private readonly origins = new Map<string, Promise<boolean>>();

  constructor(private readonly options: AgentServersOptions) {}

  /** A deployment as it is now, or was a moment ago if it served then; undefined when the control plane says 404 for it. */
  deployment(id: string): Promise<Deployment | undefined> {
    const now = this.options.clock.monotonic();
    const known = this.deployments.get(id);
    if (known && now - known.at <= ADDRESS_AGE) return known.seen;
    const seen = this.options.directory().byId(id);
    this.deployments.set(id, { at: now, seen });
    const forget = () => {
      if (this.deployments.get(id)?.seen === seen) this.deployments.delete(id);
    };
    seen.then((deployment) => deployment?.sourceConfig?.customUrl || forget(), forget);
    return seen;
  }

  /** The server at an address that the control plane told. */
  known(url: string): AgentServer {
    return this.server(url, true);
  }

  /**
   * The server at an address that somebody wrote. A mistyped one must not leak a key.
   * @throws UserError when the address is not safe. @throws RequestError when the control plane, asked for it, fails.
   */
  async written(url: string): Promise<AgentServer> {
    return this.server(url, await this.isTrusted(new URL(url).origin));
  }

  private async isTrusted(origin: string): Promise<boolean> {
    const { trusted, hasCredentials, isDirectoryThere, directory } = this.options;
    if (trusted.includes(origin)) return true;
    if (!hasCredentials || !isDirectoryThere) return false;
    const asked = this.origins.get(origin) ?? directory().servesAt(origin);
    this.origins.set(origin, asked);
    return asked
      .then((known) => {
        if (!known) this.origins.delete(origin);
        return known;
      })
      .catch((error: unknown) => {
        this.origins.delete(origin);
        if (!(error instanceof RequestError)) throw error;
        throw error.advised(
          `Whether ${origin} may have the key is not known, since the control plane does not tell its deployments. Name it in the setting agentOrigins if it may.`,
        );
      });
  }

  private server(address: string, trusted: boolean): AgentServer {
    const url = address.replace(/\/+$/, "");
    const { open, wire, lookAtOk } = this.options;
    const key = JSON.stringify([url, trusted]);
    const server =
      this.servers.get(key) ??
      new AgentServer({ url, wire, door: open(this.safe(url), trusted), lookAtOk: () => lookAtOk(url) });
    this.servers.set(key, server);
    return server;
  }

  private safe(address: string): URL {
    const url = new URL(address);
    if (url.protocol === "https:" || isLoopback(url) || this.options.allowInsecureHttp) return url;
    throw new UserError(
      `The agent server's address ${url.origin} is plain http: what threads hold, and a key, would cross the network readable. Use https (the setting allowInsecureHttp: true overrides this).`,
    );
  }
}
