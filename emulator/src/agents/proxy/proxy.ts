import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { finished, pipeline } from "node:stream/promises";
import type { AgentProxy } from "../../http/server";
import type { Context } from "../../runtime/context";
import { Capture } from "./capture";
import { requestHeaders, responseHeaders } from "./headers";
import { logRequest } from "./log";
import { agentError, deploymentOf, noResponse, resolveTarget, type Target, untilStarted } from "./target";
import { forwardUpgrade } from "./upgrade";

/**
 * Forwards requests to the agents that run as processes. Each uses a separate connection: an agent may close an idle
 * one just as the next request is sent.
 */
export function agentProxy(context: Context): AgentProxy {
  return {
    serves: (url) => deploymentOf(context, url) !== undefined,
    forward: (url, incoming, outgoing, fault) => forward(context, url, { incoming, outgoing, fault }),
    send: (url, incoming, body, signal) => send(context, url, incoming, { body, signal }),
    upgrade: (url, incoming, socket, head) => forwardUpgrade(context, url, { incoming, socket, head }),
  };
}

const headerOf = (incoming: IncomingMessage) => (name: string) => incoming.headers[name.toLowerCase()]?.toString();

interface Forwarded {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  fault: string | null;
}

async function forward(context: Context, url: URL, { incoming, outgoing, fault }: Forwarded): Promise<void> {
  const receivedAt = performance.now();
  await untilStarted(context, url);
  // The client has disconnected meanwhile.
  if (outgoing.destroyed) return;
  const { store, scheduler } = context;
  store.transaction(() => scheduler.runDue());
  const sent = new Capture(incoming, incoming.headers["content-encoding"] !== undefined);
  let received: { read(): Buffer | number } | undefined;
  try {
    const target = resolveTarget(context, url, headerOf(incoming));
    received = await exchange(target, url, incoming, outgoing);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    else received = await respondWithError(context, error, incoming, outgoing);
  }
  logRequest(context, url, incoming, {
    status: outgoing.headersSent ? outgoing.statusCode : null,
    receivedAt,
    fault,
    sent,
    received,
  });
}

/** Sends the request to the agent and its response to the client. @throws ApiError 502 without a response. */
async function exchange(
  target: Target,
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Capture> {
  const close = target.agent.openRequest();
  const abort = new AbortController();
  outgoing.once("close", () => abort.abort());
  try {
    const response = await responseOf(target, url, incoming, abort.signal);
    const received = new Capture(response, response.headers["content-encoding"] !== undefined);
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, responseHeaders(response));
    outgoing.flushHeaders();
    await pipeline(response, outgoing);
    return received;
  } finally {
    close();
  }
}

function responseOf(
  target: Target,
  url: URL,
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { host, port, path, prefix } = target;
  const headers = requestHeaders(incoming, url, prefix);
  return new Promise((resolve, reject) => {
    const upstream = request({ host, port, path, method: incoming.method, headers, agent: false, signal }, resolve);
    upstream.once("error", (error) => reject(noResponse(url, error)));
    // A response may come before the request has been sent completely.
    pipeline(incoming, upstream).catch(() => {});
  });
}

async function respondWithError(
  context: Context,
  error: unknown,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<{ read(): Buffer } | undefined> {
  incoming.resume();
  await finished(incoming, { writable: false }).catch(() => {});
  if (incoming.errored || outgoing.destroyed) return undefined;
  const { status, headers, text } = agentError(context, error);
  outgoing.writeHead(status, headers).end(text ?? undefined);
  return { read: () => Buffer.from(text ?? "") };
}

/** Sends a request whose body has been read, and reads the response, which a fault replaces. */
async function send(
  context: Context,
  url: URL,
  incoming: IncomingMessage,
  { body, signal }: { body: Buffer; signal: AbortSignal },
): Promise<void> {
  await untilStarted(context, url);
  const target = resolveTarget(context, url, headerOf(incoming));
  const { host, port, path, prefix } = target;
  const { method } = incoming;
  const headers = requestHeaders(incoming, url, prefix);
  const close = target.agent.openRequest();
  try {
    await new Promise<void>((resolve) => {
      const upstream = request({ host, port, path, method, headers, agent: false, signal }, (response) => {
        response.resume().once("close", resolve);
      });
      upstream.once("error", () => resolve());
      upstream.end(body);
    });
  } finally {
    close();
  }
}
