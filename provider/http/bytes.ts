/** Sends a request whose bodies are bytes, once, as it is: for servers that are not of the platform. */
import { request as sendWithUndici } from "undici";
import type { Clock } from "./clock";
import type { Connections } from "./connections";
import { proxyFor } from "./proxy";

export interface BytesRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  timeoutMs: number;
}

export interface BytesResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** @throws NetworkError when there is no response. */
export async function sendBytes(
  url: URL,
  { method, headers, body, timeoutMs }: BytesRequest,
  { connections, clock, env }: { connections: Connections; clock: Clock; env: NodeJS.ProcessEnv },
): Promise<BytesResponse> {
  const response = await sendWithUndici(url, {
    method,
    headers,
    body: body ?? null,
    dispatcher: connections.through(proxyFor(url, env)),
    ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, signal: clock.deadline(timeoutMs) },
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, body: bytes };
}
