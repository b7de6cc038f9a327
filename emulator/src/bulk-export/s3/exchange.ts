import http, { type IncomingHttpHeaders, type RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import { text as readText } from "node:stream/consumers";
import { errorCode } from "../../runtime/errors";

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
  signal: AbortSignal;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends one request and reads its whole response. Does not follow redirects, which would send the object to a host that
 * the signature does not cover. Uses node:http, because `fetch` cannot override the resolution of names below
 * localhost.
 */
export async function sendRequest(url: URL, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await sendOnce(url, request);
  } catch (error) {
    // A store may close an idle connection just as it is reused; the request has not been processed then.
    if (!(error instanceof StaleConnectionError)) throw error;
    return sendOnce(url, request);
  }
}

class StaleConnectionError extends Error {}

function sendOnce(url: URL, { method, headers, body, signal }: HttpRequest): Promise<HttpResponse> {
  // TLS is loaded only for the first bucket that uses it.
  const { request: createRequest } =
    url.protocol === "https:" ? (require("node:https") as typeof import("node:https")) : http;
  const length = body === undefined ? {} : { "content-length": String(body.byteLength) };
  const options: RequestOptions = { method, headers: { ...headers, ...length }, signal };
  if (url.hostname.endsWith(".localhost")) options.lookup = loopback;
  return new Promise((resolve, reject) => {
    const request = createRequest(url, options, (response) => {
      const { statusCode = 0, headers } = response;
      readText(response).then((text) => resolve({ status: statusCode, headers, text }), reject);
    });
    request.on("error", (error) => {
      const isStale = request.reusedSocket && errorCode(error) === "ECONNRESET";
      reject(isStale ? new StaleConnectionError() : error);
    });
    request.end(body);
  });
}

/** Names below localhost always mean this machine (RFC 6761), but not every resolver implements that. */
const loopback: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: "127.0.0.1", family: 4 }]);
  else callback(null, "127.0.0.1", 4);
};
