import type { IncomingMessage } from "node:http";
import { accessControlHeaders } from "../../http/cross-origin";

/** Headers that concern one connection only (RFC 9110, section 7.6.1). */
const hopByHop = ["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "upgrade"];

/** Returns the headers that a proxy passes on, as names and values in turn. */
function forwardedHeaders({ rawHeaders, headers }: IncomingMessage, without: readonly string[] = []): string[] {
  const named = (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const dropped = new Set([...hopByHop, ...named, ...without]);
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && !dropped.has(name.toLowerCase()) ? [name, rawHeaders[index + 1] ?? ""] : [],
  );
}

/** Returns the headers of a request to the agent, which learns the address that the client used. */
export function requestHeaders(incoming: IncomingMessage, url: URL, prefix: string): string[] {
  const { remoteAddress = "" } = incoming.socket;
  return [
    ...forwardedHeaders(incoming, ["host", "expect", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-prefix"]),
    ...["Host", url.host, "X-Forwarded-Host", url.host, "X-Forwarded-Proto", "http"],
    ...["X-Forwarded-Prefix", prefix, "X-Forwarded-For", remoteAddress],
  ];
}

/**
 * Headers of a response that would apply to the whole origin, which is that of the emulator's page. The server decides
 * which pages of other origins may read responses.
 */
const ofOrigin = ["alt-svc", "clear-site-data", "nel", "report-to", "reporting-endpoints", "service-worker-allowed"];
const ofServer = ["strict-transport-security", ...accessControlHeaders];

/** In a browser, an agent's pages have a separate origin, so their scripts cannot control the emulator. */
const sandbox = "sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts";

/** Returns the headers of an agent's response to the client. */
export function responseHeaders(incoming: IncomingMessage): string[] {
  const passedOn = forwardedHeaders(incoming, ["transfer-encoding", ...ofOrigin, ...ofServer]);
  return [...passedOn, "Content-Security-Policy", sandbox];
}
