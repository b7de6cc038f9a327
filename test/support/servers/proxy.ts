import { createServer, type IncomingHttpHeaders } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { Platform } from "../platform";
import { listen } from "./listen";

export interface ProxiedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed, where it is JSON. */
  body: unknown;
}

/**
 * What to do with a request: respond in place of the server, or send another body on; nothing passes it on as it is.
 */
export type Rewrite = (request: ProxiedRequest) => Rewritten | Promise<Rewritten>;
type Rewritten = { status: number; body?: unknown; headers?: Record<string, string> } | { body: unknown } | undefined;

interface Options {
  /** Returns the path and query to which a request is sent on. */
  forward?: (url: string, method: string) => string | Promise<string>;
  /** Headers that responses get in addition. */
  headers?: () => Record<string, string>;
}

/** A proxy in front of a server, which may rewrite requests. @returns Its URL. */
export async function startProxy(
  target: string,
  rewrite: Rewrite,
  { forward = (url) => url, headers: more = () => ({}) }: Options = {},
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const text = await readText(incoming);
    const json = headers["content-type"]?.includes("json") && text !== "";
    const [path = "", query] = url.split("?");
    const rewritten = await rewrite({
      method,
      path,
      query: new URLSearchParams(query),
      headers,
      body: json ? JSON.parse(text) : undefined,
    });
    if (rewritten && "status" in rewritten) {
      outgoing.writeHead(rewritten.status, { "content-type": "application/json", ...rewritten.headers });
      outgoing.end(rewritten.body === undefined ? undefined : JSON.stringify(rewritten.body));
      return;
    }
    const { host: _, "content-length": __, connection: ___, ...requestHeaders } = headers as Record<string, string>;
    const body = rewritten ? JSON.stringify(rewritten.body) : text;
    const to = target + (await forward(url, method));
    const response = await fetch(to, { method, headers: requestHeaders, ...(body !== "" && { body }) });
    const responseHeaders = [...response.headers].filter(([name]) => !["content-length", "connection"].includes(name));
    outgoing
      .writeHead(response.status, { ...Object.fromEntries(responseHeaders), ...more() })
      .end(Buffer.from(await response.arrayBuffer()));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

/** Starts a proxy in front of the emulator whose Date header is off by this many milliseconds. */
export async function startDatedProxy(
  { clock, url }: Platform,
  offsetMs: number,
): Promise<Pick<Platform, "clock" | "url">> {
  const headers = () => ({ date: new Date(clock.now() + offsetMs).toUTCString() });
  return { clock, url: await startProxy(url, () => undefined, { headers }) };
}
