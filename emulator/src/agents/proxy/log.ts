import type { IncomingMessage } from "node:http";
import { parseQuery } from "../../http/http-messages";
import type { Context } from "../../runtime/context";
import { deploymentOf } from "./target";

/** What the request log records of a forwarded request. */
export interface Exchange {
  /** null: the connection was closed without a response. */
  status: number | null;
  receivedAt: number;
  /** What delayed it. */
  fault?: string | null;
  sent?: { read(): Buffer | number };
  received?: { read(): Buffer | number };
}

export function logRequest(context: Context, url: URL, incoming: IncomingMessage, exchange: Exchange): void {
  const { status, receivedAt, fault = null, sent, received } = exchange;
  const [requestBody, responseBody] = [sent?.read() ?? 0, received?.read() ?? null];
  const entry = {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: parseQuery(url),
    status,
    tenant_id: null,
    body: describeBody(requestBody),
    notes: [],
    fault,
    operation: "Forward to the agent",
    client: incoming.headers["user-agent"] ?? null,
    duration_ms: Math.round((performance.now() - receivedAt) * 10) / 10,
    resources: [deploymentOf(context, url) ?? ""],
  };
  const bodies = {
    request: requestBody,
    response: Buffer.isBuffer(responseBody) ? responseBody.toString() : responseBody,
  };
  context.store.transaction(() => context.requestLog.append(context.clock.now(), entry, bodies));
}

function describeBody(body: Buffer | number): unknown {
  if (typeof body === "number") return body === 0 ? null : `${body} bytes`;
  if (body.length === 0) return null;
  try {
    return JSON.parse(body.toString());
  } catch {
    return `${body.length} bytes`;
  }
}
