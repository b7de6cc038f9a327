/** The connections to a server: directly, or through the proxy that the environment names. */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback } from "./loopback";

const PROXIES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

interface DispatcherOptions {
  baseUrl: URL;
  maxConcurrentRequests: number;
  /** How long a connection may take. */
  requestTimeoutMs: number;
}

export function createDispatcher({ baseUrl, maxConcurrentRequests, requestTimeoutMs }: DispatcherOptions): Dispatcher {
  const pool = { connections: maxConcurrentRequests, connect: { timeout: requestTimeoutMs } };
  // A proxy cannot reach a loopback address, and would receive the API key unencrypted.
  const isProxied = !isLoopback(baseUrl) && PROXIES.some((name) => process.env[name]);
  return isProxied ? new EnvHttpProxyAgent(pool) : new Agent(pool);
}
