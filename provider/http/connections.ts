/** The connections of a run, which clients share. */
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { HttpProxy } from "./proxy";

/** Connections directly to servers, or through the proxy that the environment names. */
export class Connections {
  private readonly dispatchers = new Map<string, Dispatcher>();

  constructor(private readonly options: { maxConcurrentRequests: number; requestTimeoutMs: number }) {}

  /** @param proxy Undefined for direct connections. */
  through(proxy: HttpProxy | undefined): Dispatcher {
    const { maxConcurrentRequests: connections, requestTimeoutMs: timeout } = this.options;
    const key = proxy?.url.href ?? "";
    const dispatcher =
      this.dispatchers.get(key) ??
      (proxy
        ? new ProxyAgent({ uri: proxy.url.href, connections, connectTimeout: timeout })
        : new Agent({ connections, connect: { timeout } }));
    this.dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  /** Ends all connections after the requests that are under way. */
  async close(): Promise<void> {
    const dispatchers = [...this.dispatchers.values()];
    this.dispatchers.clear();
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
  }
}
