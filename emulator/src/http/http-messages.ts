import type { IncomingMessage } from "node:http";
import { ApiError } from "../runtime/errors";
import type { RequestFault } from "../runtime/faults";
import { logError } from "../runtime/text/printable";
import type { HttpResponse } from "./route";

export interface HttpRequest {
  method: string;
  path: string;
  query: Record<string, string[]>;
  header(name: string): string | undefined;
  body: Buffer;
  /** The origin that the client used. */
  origin: string;
  /** `performance.now()` when its headers were received. */
  receivedAt: number;
}

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return { status, headers: { "content-type": "application/json" }, text: JSON.stringify(value) };
}

export function textResponse(status: number, text: string): HttpResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, text };
}

/** Formats errors as FastAPI does: `{"detail": …}`, and plain text for unexpected errors. */
export function errorResponse(error: unknown): HttpResponse {
  if (error instanceof ApiError && error.status !== 500) {
    const response = jsonResponse(error.status, { detail: error.detail });
    return { ...response, headers: { ...response.headers, ...error.headers } };
  }
  // A 500 that a handler throws is one of the real server.
  if (!(error instanceof ApiError)) logError(error);
  return textResponse(500, "Internal Server Error");
}

/** Returns the response that a fault defines, if it defines one. */
export function faultResponse({ status, body, headers = {} }: RequestFault): HttpResponse | undefined {
  if (status === undefined) return undefined;
  const type = typeof body === "string" ? "text/html" : "application/json";
  const faultHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { ...(text !== null && { "content-type": type }), ...faultHeaders }, text };
}

/** Returns the values of each query parameter, in order. */
export function parseQuery({ searchParams }: URL): Record<string, string[]> {
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
}

/** Returns the URL of a request, or null if it is invalid. */
export function parseUrl({ headers: { host = "" }, url = "" }: IncomingMessage): URL | null {
  // Clients of a proxy send absolute URLs, which a server must accept (RFC 9112, section 3.2.2).
  if (!url.startsWith("/")) return URL.parse(url);
  return /^[^/?#@\\]+$/.test(host) ? URL.parse(`http://${host}${url}`) : null;
}

/** Reads a body up to a limit. Returns undefined if it is larger. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Drains what exceeds the limit: a client that is still sending would not see an early response.
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return size <= maxBytes ? Buffer.concat(chunks) : undefined;
}
