/** Reading a response: bounded in size, and of the form that a client can use. */
import type { Dispatcher } from "undici";
import { HttpError } from "./errors";

/** Bytes of the largest response: a page of a hundred deployments, or the state of a long thread, is far smaller. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Of an error no more is read: its words stand at its beginning. */
const MAX_ERROR_BYTES = 256 * 1024;

type Headers = Dispatcher.ResponseData["headers"];

/** What a request is called in errors. */
interface RequestLine {
  method: string;
  path: string;
}

/** @throws HttpError when a good response is larger than any that a client could use. */
export async function readText({ statusCode, body }: Dispatcher.ResponseData, request: RequestLine): Promise<string> {
  const isError = statusCode >= 300;
  const limitBytes = isError ? MAX_ERROR_BYTES : MAX_RESPONSE_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= limitBytes) continue;
    // Leaving the loop destroys the stream, and with it the connection.
    if (isError) break;
    const detail = `the response is larger than ${limitBytes / 1024 / 1024} MiB`;
    throw new HttpError({ ...request, status: statusCode, detail, hint: WRONG_SERVER });
  }
  return Buffer.concat(chunks).toString("utf8", 0, limitBytes);
}

const WRONG_SERVER = "Does the URL point to the API itself?";

/**
 * @returns Undefined where there is nothing to read, and for a page of a proxy that is an error anyway.
 * @throws HttpError when a good response is not JSON.
 */
export function parseJson(text: string, status: number, request: RequestLine): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML error page is no surprise; a page where a response should be means a wrong address.
    if (status >= 300) return undefined;
    const detail = `the response is not JSON (it begins with ${JSON.stringify(text.slice(0, 40))})`;
    throw new HttpError({ ...request, status, detail, hint: WRONG_SERVER });
  }
}

/** A store answers an upload as it likes, but not with a page of a proxy or of a login. */
export function assertStoreResponse(text: string, status: number, request: RequestLine): void {
  if (status >= 300 || !/^\s*<(!doctype html|html)\b/i.test(text.slice(0, 1000))) return;
  const detail = "the response is an HTML page, so something other than the store answered";
  throw new HttpError({ ...request, path: request.path || "upload URL", status, detail });
}

/** Characters of a header that errors show. */
const MAX_HEADER_LENGTH = 200;

/** The first value of a header, as far as anybody reads it. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.slice(0, MAX_HEADER_LENGTH);
}

/** When the server wrote the response, by its own clock. Milliseconds since the epoch. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(headerOf(headers, "date") ?? "");
  return Number.isNaN(date) ? undefined : date;
}
