import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Platform } from "../platform";

/** Deviations in how a server pages its lists. */
export interface Paging {
  /** Maximum number of items on a page, whatever the `limit`. */
  maxPageSize?: number;
  /** Whether every response is the first page. */
  ignoresOffset?: boolean;
}

/** Starts a proxy in front of the emulator that pages lists in this way. */
export async function startPagingProxy(
  platform: Platform,
  { maxPageSize = Number.POSITIVE_INFINITY, ignoresOffset = false }: Paging,
): Promise<Pick<Platform, "clock" | "url">> {
  const pagedQuery = (url: URL) => {
    const limit = Number(url.searchParams.get("limit") ?? 20);
    url.searchParams.set("limit", String(Math.min(limit, maxPageSize)));
    if (ignoresOffset) url.searchParams.delete("offset");
    return url;
  };
  const pagedBody = (text: string) => {
    const { offset, before, limit, ...body } = JSON.parse(text);
    const rest = ignoresOffset ? {} : { offset, before };
    return JSON.stringify({ ...body, ...rest, ...(limit !== undefined && { limit: Math.min(limit, maxPageSize) }) });
  };
  const server = createServer(async (request, response) => {
    const { method = "GET", headers } = request;
    const { host: _host, connection: _connection, "content-length": _length, ...forwardedHeaders } = headers;
    const url = new URL(request.url ?? "", platform.url);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const upstream = await fetch(method === "GET" && LISTS.test(url.pathname) ? pagedQuery(url) : url, {
      method,
      headers: forwardedHeaders as Record<string, string>,
      ...(parts.length > 0 && { body: pagedBody(Buffer.concat(parts).toString()) }),
    });
    const type = upstream.headers.get("content-type");
    response.writeHead(upstream.status, type === null ? {} : { "content-type": type }).end(await upstream.text());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.push(server);
  return { clock: platform.clock, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Paths of paged lists. */
const LISTS = /\/(deployments|revisions|listeners|sessions)$/;

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
