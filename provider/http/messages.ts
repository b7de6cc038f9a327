/** The messages of HTTP: a request, as sent and as logged, and its response, with limits on its size and form. */
import type { Readable } from "node:stream";
import { constants, gunzipSync } from "node:zlib";
import type { Dispatcher } from "undici";
import { truncate } from "../text/format";
import { tryOr } from "../text/try-or";
import { UserError } from "../text/user-error";
import { HttpError } from "./errors";
import type { RetryableRequest } from "./retry";

export interface HttpRequest extends RetryableRequest {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Added to the query as it is. */
  search?: string;
  /** Added to the client's headers; replace those of the same name. */
  headers?: Record<string, string>;
  /** A text is sent as it is, everything else as JSON. */
  body?: unknown;
  /** Whether only the text of the response is used, which may be large: it is not parsed. */
  isText?: boolean;
  /** Sent unchanged in place of `body`; opened again for each attempt. */
  content?: UploadBody;
}

export interface HttpResponse {
  status: number;
  json: unknown;
  requestId?: string | undefined;
  /** The body as it is. */
  text?: string;
  /** Where it redirects to. */
  location?: string | undefined;
}

export interface UploadBody {
  /** Bytes. */
  size: number;
  type: string;
  open(): Readable;
}

export function toPayload({ body, content }: Pick<HttpRequest, "body" | "content">): {
  body: string | Readable | null;
  headers: Record<string, string>;
} {
  if (content)
    return { body: content.open(), headers: { "content-type": content.type, "content-length": String(content.size) } };
  if (body === undefined) return { body: null, headers: {} };
  if (typeof body === "string") return { body, headers: { "content-type": "text/plain;charset=utf-8" } };
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** @throws UserError when the path would be normalized to another one, as a dot segment is. */
export function requestUrl(baseUrl: URL, request: Pick<HttpRequest, "path" | "query" | "search">): URL {
  const { path, query = {}, search } = request;
  const url = new URL(baseUrl);
  const pathname = baseUrl.pathname.replace(/\/$/, "") + path;
  url.pathname = pathname;
  if (url.pathname !== pathname)
    throw new UserError(`The path ${JSON.stringify(path)} is not a valid request path. Correct the IDs in it.`);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  if (search) url.search = [url.search.slice(1), search].filter(Boolean).join("&");
  return url;
}

const HIDDEN = "REDACTED";

/**
 * Returns a URL without what may be secret: credentials, values of the query, and the path of a signed upload.
 * @param isUpload Whether the URL is signed, so that anyone who has it may upload.
 */
export function loggedUrl(url: URL, isUpload: boolean): string {
  const keys = [...new Set(url.searchParams.keys())].map((key) => `${encodeURIComponent(key)}=${HIDDEN}`);
  const query = isUpload || keys.length === 0 ? "" : `?${keys.join("&")}`;
  return `${url.origin}${isUpload ? `/${HIDDEN}` : url.pathname}${query}`;
}

/** The largest response. A page of a hundred deployments or the state of a long thread is far smaller. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** An error body is read no further: its message is at the beginning. */
const MAX_ERROR_BYTES = 256 * 1024;

/** The most nested levels of a response. The API has fewer, and Pulumi's state and gRPC take few more. */
const MAX_DEPTH = 500;

type Headers = Dispatcher.ResponseData["headers"];

interface RequestLine {
  method: string;
  path: string;
  requestId?: string | undefined;
}

/** @throws HttpError when a successful response exceeds the limit. */
export async function readText(response: Dispatcher.ResponseData, request: RequestLine): Promise<string> {
  const { statusCode, headers, body } = response;
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
  return decompress(Buffer.concat(chunks), headers).toString("utf8", 0, limitBytes);
}

/** Some servers and proxies compress a response although the request does not ask for it. */
function decompress(bytes: Buffer, headers: Headers): Buffer {
  if (!/^(x-)?gzip$/i.test(headerOf(headers, "content-encoding") ?? "")) return bytes;
  // Of a long error, only the beginning was read.
  const options = { maxOutputLength: MAX_RESPONSE_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
  return tryOr(() => gunzipSync(bytes, options), bytes);
}

const WRONG_SERVER = "Does the URL point to the API itself?";

/**
 * Returns the parsed body; undefined for an empty one, and for an error page that is not JSON or nested too deeply.
 * @param status Undefined where any body is expected.
 * @throws HttpError when a successful response is not JSON, or is nested too deeply.
 */
export function parseJson(body: string, status: number | undefined, request: RequestLine): unknown {
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
  if (status === undefined || status >= 300) return undefined;
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

export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? undefined : truncate(first, MAX_HEADER_LENGTH);
}

/**
 * The headers in which servers return their ID of a request: those of web frameworks and reverse proxies, the one of
 * API gateways, and the one of object stores, which receive uploads. A `traceparent` is a header of requests.
 */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "x-amz-request-id"];

export function requestIdOf(headers: Headers): string | undefined {
  return REQUEST_ID_HEADERS.map((name) => headerOf(headers, name)?.trim()).find(Boolean);
}

/** Returns the time of the response by the server's clock, in milliseconds since the epoch. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headerOf(headers, "date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}

export interface StartedAttempt {
  /** When it is sent. Milliseconds since the epoch, by this machine's clock. */
  time: number;
  method: string;
  /** Without credentials, values of the query and the path of a signed upload. */
  url: string;
  /** Its number among the attempts of one request, from 1. */
  attempt: number;
  /** How long it waited for each, in this order. Milliseconds. */
  waits: Waits;
  /** The value that is sent as JSON. May contain secrets. */
  requestBody: unknown;
}

export interface Waits {
  /** The delay before a retry. */
  retryMs: number;
  rateLimitMs: number;
  /** The limit of concurrent requests. */
  connectionMs: number;
}

export interface AttemptResult {
  status: number | undefined;
  /** From sending the request until its response was read. */
  durationMs: number;
  requestId: string | undefined;
  /** The network error code, or the server's message. Undefined after a success. May contain secrets. */
  error: string | undefined;
  /** The value that the response has as JSON. May contain secrets. */
  responseBody: unknown;
}

/** Called before each attempt. Must not throw. */
export type AttemptObserver = (attempt: StartedAttempt) => AttemptObservation;

interface AttemptObservation {
  /** The header of W3C Trace Context, for servers that the user has configured. Undefined when nothing is traced. */
  traceparent: string | undefined;
  /** Called when the attempt has ended. Must not throw. */
  end(result: AttemptResult): void;
}
