import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "../runtime/options";
import { isLoopback } from "./allowed-hosts";

/** The response headers by which a server lets web pages of other origins read its responses. */
export const accessControlHeaders = [
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-allow-private-network",
  "access-control-expose-headers",
  "access-control-max-age",
];

/** Headers of responses that clients of agent servers read. */
const exposedHeaders = "Content-Location, Location, X-Pagination-Next, X-Pagination-Total, X-Request-Id";

/** Seconds for which a browser may remember the response to a preflight request. */
const maxAge = 600;

/**
 * Whether a web page of another origin may use an address: only agent servers, as front ends do. Everything else, such
 * as the admin API, is for the emulator's own page.
 */
export function isFrontEndOf(settings: Pick<Settings, "allowHost" | "allowOrigin">, url: URL, origin: string): boolean {
  if (!isAgentServer(url)) return false;
  const page = URL.parse(origin);
  if (page === null || page.origin === "null") return false;
  const { allowHost, allowOrigin } = settings;
  return isLoopback(page.hostname) || allowHost.includes(page.hostname) || allowOrigin.includes(page.origin);
}

export const isAgentServer = ({ pathname }: URL) => pathname.startsWith("/agents/");

/** Lets the page read the response. Returns whether the request was a preflight, to which it then responds. */
export function allowFrontEnd({ method, headers }: IncomingMessage, outgoing: ServerResponse): boolean {
  const { origin = "" } = headers;
  outgoing.setHeader("access-control-allow-origin", origin);
  outgoing.setHeader("access-control-allow-credentials", "true");
  outgoing.setHeader("access-control-expose-headers", exposedHeaders);
  outgoing.appendHeader("vary", "Origin");
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return false;
  outgoing.setHeader("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
  const asked = headers["access-control-request-headers"];
  if (asked !== undefined) outgoing.setHeader("access-control-allow-headers", asked);
  if (headers["access-control-request-private-network"] === "true") {
    outgoing.setHeader("access-control-allow-private-network", "true");
  }
  outgoing.setHeader("access-control-max-age", maxAge);
  outgoing.writeHead(204).end();
  return true;
}
