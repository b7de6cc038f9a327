/** A request: its URL, as it is sent and as logs show it, and its body. */
import type { Readable } from "node:stream";
import { UserError } from "../text/user-error";
import type { RetryableRequest } from "./retry";

export interface HttpRequest extends RetryableRequest {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS";
  /** Relative to the server's base URL; begins with a slash. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  /** Added to the client's headers; replace those of the same name. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged in place of `body`; opened again for each attempt. */
  content?: UploadBody;
}

export interface UploadBody {
  /** Bytes. */
  size: number;
  /** Media type. */
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
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** @throws UserError when the path would be normalized to another one, as a dot segment is. */
export function requestUrl(baseUrl: URL, { path, query = {} }: Pick<HttpRequest, "path" | "query">): URL {
  const url = new URL(baseUrl);
  const pathname = baseUrl.pathname.replace(/\/$/, "") + path;
  url.pathname = pathname;
  if (url.pathname !== pathname) throw new UserError(`The path ${JSON.stringify(path)} is not a valid request path.`);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
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
