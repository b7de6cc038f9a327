import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context as HonoContext } from "hono";
import { adminApp } from "./admin";
import type { Context } from "./context";
import { UsageError } from "./errors";
import type { RequestFault } from "./faults";
import { Gateway } from "./gateway";
import type { Operations } from "./operations";
import type { Route, Stream } from "./routes";
import { readBody, type WireAnswer, type WireRequest } from "./wire";

type Http = HonoContext<{ Bindings: HttpBindings }>;

/** A listening server. */
export interface Server {
  origin: string;
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open: longer than any client keeps one, as behind a balancer. Node's own 5 s close
 * it just when a busy client sends its next request, which then fails.
 */
const KEEP_ALIVE_MS = 75_000;

/** Starts to listen: `/_emulator` is the admin's, everything else the service. */
export async function listen(
  context: Context,
  routes: readonly Route[],
  operations: Operations,
  onChange: () => void,
): Promise<Server> {
  const gateway = new Gateway(context, routes);
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.route("/_emulator", adminApp(context, operations));
  app.all("*", (http) => serve(context, gateway, http, onChange));
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: { keepAliveTimeout: KEEP_ALIVE_MS } });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const { port, host } = context.settings;
  server.listen(port, host);
  await once(server, "listening").catch((error) => {
    throw explain(error, port, host);
  });
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${actual}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return new UsageError(
      `Port ${port} on ${host} is in use: stop what listens there, or choose another one with --port.`,
    );
  if (error.code === "EACCES")
    return new UsageError(`Port ${port} needs more rights than this user has: choose one above 1023 with --port.`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new UsageError(`This machine has no address ${host}: choose another one with --host.`);
  return error;
}

/** One request of the service, with what a fault makes of it. */
async function serve(context: Context, gateway: Gateway, http: Http, onChange: () => void): Promise<Response> {
  const { incoming, outgoing } = http.env;
  const url = new URL(http.req.url);
  const { method } = http.req;
  const fault = context.faults.takeForRequest(method, url.pathname);
  const body = await readBody(incoming as IncomingMessage, gateway.maxBytes(method, url.pathname));
  const request: WireRequest = {
    ...{ method, path: url.pathname, query: http.req.queries(), origin: url.origin },
    header: (name) => http.req.header(name),
    body: body ?? Buffer.alloc(0),
  };
  if (fault?.delay_ms) await sleep(fault.delay_ms);
  const acted = body && (!fault || acts(fault));
  const answer = acted ? await gateway.perform(request, fault) : gateway.turnAway(request, fault);
  onChange();
  if (fault?.connection === undefined) return respond(context, answer);
  const socket = incoming.socket as Socket;
  if (fault.connection === "refuse") socket.destroy();
  else socket.resetAndDestroy();
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Whether the request is performed in spite of the fault. */
function acts({ connection, status, act }: RequestFault): boolean {
  return connection === undefined ? status === undefined || act === true : connection === "reset-after";
}

function respond({ clock }: Context, { status, headers, text, stream }: WireAnswer): Response {
  const body = stream ? bodyOf(stream) : text;
  return new Response(body, { status, headers: { ...headers, date: new Date(clock.now()).toUTCString() } });
}

/** A body that is written while it is read. */
function bodyOf(stream: Stream): ReadableStream {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  return new ReadableStream({
    start(controller) {
      const written = stream((text) => controller.enqueue(encoder.encode(text)), gone.signal);
      written.then(
        () => gone.signal.aborted || controller.close(),
        (error) => controller.error(error),
      );
    },
    cancel: () => gone.abort(),
  });
}
