import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import type { RequestFault } from "../runtime/faults";
import { AdminGateway, type AdminRoute } from "./admin-gateway";
import { findForeignAddress } from "./allowed-hosts";
import { queuePerConnection } from "./connection-queue";
import { allowFrontEnd, isAgentServer, isFrontEndOf } from "./cross-origin";
import { describeFault, Gateway } from "./gateway";
import { errorResponse, type HttpRequest, parseQuery, parseUrl, readBody } from "./http-messages";
import { type Listener, listenOn, type UpgradeListener } from "./listener";
import type { HttpResponse, Route, Stream } from "./route";

/** What the server serves: admin routes below `/_emulator`, platform routes elsewhere. */
interface ServerRoutes {
  routes: readonly Route[];
  /** Called on the first admin request. */
  adminRoutes(): readonly AdminRoute[];
  /** Returns the page for browsers at `/`. */
  page(): HttpResponse;
  /** Called after each platform request, which may have changed jobs or the clock. */
  onChange(): void;
  /** Serves the agents that run as processes. */
  proxy?: AgentProxy;
}

/** Forwards requests to processes. It authorizes and logs them itself. */
export interface AgentProxy {
  /** Whether an agent has this address. */
  serves(url: URL): boolean;
  /** Forwards a request and its response as streams. @param fault What delayed it, for the request log. */
  forward(url: URL, incoming: IncomingMessage, outgoing: ServerResponse, fault: string | null): Promise<void>;
  /** Sends a request, whose body has been read, and whose response nobody sees, because a fault replaces it. */
  send(url: URL, incoming: IncomingMessage, body: Buffer, signal: AbortSignal): Promise<void>;
  /** Forwards a connection that leaves HTTP. */
  upgrade(url: URL, incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Starts the server. Each request goes to gateway.ts, or to admin-gateway.ts below `/_emulator`.
 * @throws UsageError if the port cannot be used.
 */
export async function listen(
  context: Context,
  { routes, adminRoutes, page, onChange, proxy }: ServerRoutes,
): Promise<Listener> {
  const closing = new AbortController();
  const serverContext: ServerContext = {
    context,
    onChange,
    closing: closing.signal,
    gateway: new Gateway(context, routes),
    admin: new AdminGateway(adminRoutes),
    page,
    proxy,
  };
  const listener: RequestListener = (incoming, outgoing) => void handleRequest(serverContext, incoming, outgoing);
  const { port, host } = context.settings;
  const { origin, close } = await listenOn(
    { port, host, option: "--port" },
    queuePerConnection(listener),
    upgradesOf(context, proxy),
  );
  return {
    origin,
    close() {
      closing.abort();
      return close();
    },
  };
}

/** The dependencies of a request. */
interface ServerContext {
  context: Context;
  gateway: Gateway;
  admin: AdminGateway;
  page(): HttpResponse;
  onChange(): void;
  proxy: AgentProxy | undefined;
  closing: AbortSignal;
}

function upgradesOf(context: Context, proxy: AgentProxy | undefined): UpgradeListener | undefined {
  const addressOf = (incoming: IncomingMessage) => {
    const url = parseUrl(incoming);
    const isAllowed = url && checkOrigin(context, url, incoming).foreign === undefined;
    return isAllowed && proxy?.serves(url) ? url : undefined;
  };
  return (
    proxy && {
      accepts: (incoming) => incoming.headers.upgrade?.toLowerCase() !== "h2c" && addressOf(incoming) !== undefined,
      handle(incoming, socket, head) {
        const url = addressOf(incoming);
        if (url) proxy.upgrade(url, incoming, socket, head);
        else socket.destroy();
      },
    }
  );
}

/** Finds out whether a front end of an agent sent a request, or a web page that may not send it. */
function checkOrigin({ settings }: Context, url: URL, { headers: { origin } }: IncomingMessage) {
  const isFrontEnd = origin !== undefined && isFrontEndOf(settings, url, origin);
  const foreign = findForeignAddress(settings, url, isFrontEnd ? undefined : origin);
  const help = isAgentServer(url) ? `. If it is a front end of your agent, use --allow-origin ${origin}` : "";
  return { foreign: foreign && foreign + help, isFrontEnd };
}

/** Handles one request up to the end of its response. Never rejects. */
async function handleRequest(
  serverContext: ServerContext,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { context, closing } = serverContext;
  try {
    const url = parseUrl(incoming);
    if (url === null) throw new ApiError(400, "Invalid address or Host header");
    const { foreign, isFrontEnd } = checkOrigin(context, url, incoming);
    if (foreign !== undefined) throw new ApiError(403, foreign);
    if (isFrontEnd && allowFrontEnd(incoming, outgoing)) return;
    if (isPageRequest(incoming, url)) respond(context, outgoing, serverContext.page());
    else if (AdminGateway.matches(url))
      respond(context, outgoing, await serverContext.admin.handleRequest(incoming, url));
    else await handleApiRequest(serverContext, url, incoming, outgoing);
  } catch (error) {
    await drain(incoming);
    // A client that disconnected gets no response, nor does a request that is pending when the emulator stops.
    if (incoming.errored || closing.aborted) return;
    if (outgoing.headersSent) outgoing.destroy();
    else respond(context, outgoing, errorResponse(error));
  }
}

/** Reads the rest of a request: a client that is still sending would not see an early response. */
async function drain(incoming: IncomingMessage): Promise<void> {
  incoming.resume();
  await finished(incoming, { writable: false }).catch(() => {});
}

/**
 * Returns whether a browser requests the page. API clients do not accept HTML, and `/` is not a path of the platform.
 */
function isPageRequest({ method, headers }: IncomingMessage, { pathname }: URL): boolean {
  return pathname === "/" && method === "GET" && /\btext\/html\b/.test(headers.accept ?? "");
}

/** Handles a request to the platform and applies an injected fault. */
async function handleApiRequest(
  { context, gateway, onChange, closing, proxy }: ServerContext,
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const receivedAt = performance.now();
  const { method = "GET", headers, socket } = incoming;
  const fault = context.faults.takeForRequest(method, url.pathname);
  const isForwarded = proxy?.serves(url) ?? false;
  if (proxy && isForwarded && fault?.status === undefined && fault?.connection === undefined) {
    if (fault?.delay_ms) await sleep(fault.delay_ms, undefined, { signal: closing });
    await proxy.forward(url, incoming, outgoing, fault ? describeFault(fault) : null);
    return onChange();
  }
  const body = await readBody(incoming, gateway.maxBodyBytes(method, url.pathname));
  const request: HttpRequest = {
    method,
    path: url.pathname,
    query: parseQuery(url),
    origin: url.origin,
    header: (name) => headers[name.toLowerCase()]?.toString(),
    body: body ?? Buffer.alloc(0),
    receivedAt,
  };
  if (fault?.delay_ms) await sleep(fault.delay_ms, undefined, { signal: closing });
  const isExecuted = body && (!fault || executesRequest(fault));
  if (isExecuted && isForwarded) await proxy?.send(url, incoming, body, closing);
  const response =
    isExecuted && !isForwarded ? await gateway.handleRequest(request, fault) : gateway.reject(request, fault);
  onChange();
  if (fault?.connection === undefined) return respond(context, outgoing, response);
  if (fault.connection === "refuse") socket.destroy();
  else socket.resetAndDestroy();
}

/** Returns whether the request is executed despite the fault. */
function executesRequest({ connection, status, act }: RequestFault): boolean {
  return connection === undefined ? status === undefined || act === true : connection === "reset-after";
}

function respond({ clock }: Context, outgoing: ServerResponse, { status, headers, text, stream }: HttpResponse): void {
  outgoing.statusCode = status;
  outgoing.setHeaders(new Map(Object.entries({ ...headers, date: new Date(clock.now()).toUTCString() })));
  // HEAD has no body: what waits for a stream that may never end is the connection.
  if (stream && outgoing.req.method !== "HEAD") void writeStream(outgoing, stream);
  else outgoing.end(text ?? undefined);
}

/** Real milliseconds: clients give up a connection that is silent for minutes. */
const HEARTBEAT_MS = 5000;

/**
 * Streams a body until it ends or the client disconnects. While nothing happens, it sends what clients skip, as
 * published agent servers do.
 */
async function writeStream(outgoing: ServerResponse, stream: Stream): Promise<void> {
  const disconnected = new AbortController();
  outgoing.on("close", () => disconnected.abort());
  outgoing.flushHeaders();
  const hasEvents = String(outgoing.getHeader("content-type")).startsWith("text/event-stream");
  const heartbeat = setInterval(() => outgoing.write(hasEvents ? ": heartbeat\n\n" : "\n"), HEARTBEAT_MS);
  try {
    await stream((text) => outgoing.write(text), disconnected.signal);
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  } finally {
    clearInterval(heartbeat);
  }
}
