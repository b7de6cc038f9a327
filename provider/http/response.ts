/** Reads responses, with limits on their size and form. */

import type { Dispatcher } from "undici";
import { truncate } from "../text/format";
import { HttpError } from "./errors";

/** The largest response. A page of a hundred deployments or the state of a long thread is far smaller. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** An error body is read no further: its message is at the beginning. */
const MAX_ERROR_BYTES = 256 * 1024;

/** The most nested levels of a response. Nothing of the API has more, and neither Pulumi's state nor gRPC takes many more. */
const MAX_DEPTH = 500;

type Headers = Dispatcher.ResponseData["headers"];

/** How errors identify a request. */
interface RequestLine {
  method: string;
  path: string;
  requestId?: string | undefined;
}

/** @throws HttpError when a successful response exceeds the limit. */
export async function readText({ statusCode, body }: Dispatcher.ResponseData, request: RequestLine): Promise<string> {
  const isError = statusCode >= 300;
  const limitBytes = isError ? MAX_ERROR_BYTES : MAX_RESPONSE_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= limitBytes) continue;
    // Leaving the loop destroys the stream and its connection.
    if (isError) break;
    const detail = `the response is larger than ${limitBytes / 1024 / 1024} MiB`;
    throw new HttpError({ ...request, status: statusCode, detail, hint: WRONG_SERVER });
  }
  return Buffer.concat(chunks).toString("utf8", 0, limitBytes);
}

const WRONG_SERVER = "Does the URL point to the API itself?";

/**
 * Returns the parsed body; undefined for an empty one, and for an error page that is not JSON or nested too deeply.
 * @throws HttpError when a successful response is not JSON, or is nested too deeply.
 */
export function parseJson(body: string, status: number, request: RequestLine): unknown {
  // Some servers and proxies write a byte order mark, which JSON does not allow, or a line break for an empty body.
  const text = body.replace(/^\ufeff/, "").trim();
  if (text === "") return undefined;
  let problem = `nested more than ${MAX_DEPTH} levels deep`;
  try {
    const json: unknown = JSON.parse(text);
    if (!isDeeperThan(MAX_DEPTH, json)) return json;
  } catch {
    problem = `not JSON (it begins with ${JSON.stringify(truncate(text, 40))})`;
  }
  // An HTML error page may come from a proxy. HTML with a success status means a wrong address.
  if (status >= 300) return undefined;
  throw new HttpError({ ...request, status, detail: `the response is ${problem}`, hint: WRONG_SERVER });
}

function isDeeperThan(levels: number, json: unknown): boolean {
  if (typeof json !== "object" || json === null) return false;
  return levels === 0 || Object.values(json).some((part) => isDeeperThan(levels - 1, part));
}

/** @throws HttpError when the response to an upload is an HTML page, as of a proxy or a login. */
export function assertStoreResponse(text: string, status: number, request: RequestLine): void {
  if (status >= 300 || !/^\s*<(!doctype html|html)\b/i.test(text.slice(0, 1000))) return;
  const detail = "the response is an HTML page, so something other than the store responded";
  throw new HttpError({ ...request, path: request.path || "upload URL", status, detail });
}

/** Characters of a header value that are kept. */
const MAX_HEADER_LENGTH = 200;

/** Returns the first value of a header, truncated. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? undefined : truncate(first, MAX_HEADER_LENGTH);
}

/**
 * The headers in which servers return their ID of a request: those of web frameworks and reverse proxies, the one of API
 * gateways, and the one of object stores, which receive uploads. A `traceparent` is a header of requests.
 */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "x-amz-request-id"];

/** Returns the server's ID of the request. */
export function requestIdOf(headers: Headers): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headerOf(headers, name)?.trim()).find(Boolean);
}

/** Returns the time of the response by the server's clock, in milliseconds since the epoch. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headerOf(headers, "date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}
