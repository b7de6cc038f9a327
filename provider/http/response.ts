/** Reads responses, with limits on their size and form. */
import type { Dispatcher } from "undici";
import { HttpError } from "./errors";

/** The largest response. A page of a hundred deployments or the state of a long thread is far smaller. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** An error body is read no further: its message is at the beginning. */
const MAX_ERROR_BYTES = 256 * 1024;

type Headers = Dispatcher.ResponseData["headers"];

/** How errors identify a request. */
interface RequestLine {
  method: string;
  path: string;
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
 * Returns the parsed body; undefined for an empty one, and for a non-JSON error page.
 * @throws HttpError when a successful response is not JSON.
 */
export function parseJson(text: string, status: number, request: RequestLine): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // An HTML error page may come from a proxy. HTML with a success status means a wrong address.
    if (status >= 300) return undefined;
    const detail = `the response is not JSON (it begins with ${JSON.stringify(text.slice(0, 40))})`;
    throw new HttpError({ ...request, status, detail, hint: WRONG_SERVER });
  }
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
  return (Array.isArray(value) ? value[0] : value)?.slice(0, MAX_HEADER_LENGTH);
}

/** Returns the time of the response by the server's clock, in milliseconds since the epoch. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headerOf(headers, "date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}
