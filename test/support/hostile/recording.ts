import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../servers/listen";

/** A response of the recorded server. */
export interface Exchange {
  /** Method and path, without the query. */
  route: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Stands for the origin of the server in recorded bodies. */
export const ORIGIN = "{origin}";

/** Headers of a response that are repeated. */
const REPEATED = ["content-type", "date", "retry-after", "allow", "content-location", "x-pagination-total"];

export const routeOf = (method = "GET", url = "/") => `${method} ${url.replace(/\?.*/s, "")}`;

/** Returns the responses of a server to what a client at another URL requests. */
export async function record(target: string, act: (url: string) => Promise<unknown>): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    // With its Host header, the server returns URLs of this one.
    const forwarded = request({ hostname, port, method, path: url, headers }, async (response) => {
      const body = await text(response);
      const responseHeaders = response.headers as Record<string, string>;
      exchanges.push({
        route: routeOf(method, url),
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(Object.entries(responseHeaders).filter(([name]) => REPEATED.includes(name))),
        body: body.replaceAll(origin, ORIGIN),
      });
      outgoing.writeHead(response.statusCode ?? 0, responseHeaders).end(body);
    });
    incoming.pipe(forwarded);
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  await act(origin);
  return exchanges;
}
