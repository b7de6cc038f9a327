import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../errors";
import type { BucketAnswer } from "./answers";
import { Refusal } from "./errors";
import { type BucketRequest, readRequest } from "./request";
import type { BucketRoom } from "./room";
import { operationOf } from "./routes";
import { type BucketKey, verify } from "./signature";

/** Where buckets are served, and the key that opens them. */
export interface BucketOptions {
  /** 0 takes a free one. */
  port: number;
  host: string;
  key: BucketKey;
}

/** A running object store. */
export interface BucketServer {
  /** "http://127.0.0.1:7421". */
  url: string;
  /** Ends every request and is kept once none is left. */
  close(): Promise<void>;
}

/** As long as the service's own connections: no client keeps an idle one for longer. */
const KEEP_ALIVE_MS = 75_000;

/** Starts to serve buckets. Throws UsageError when the port cannot be had. */
export async function serveBuckets(room: BucketRoom, { port, host, key }: BucketOptions): Promise<BucketServer> {
  const [sockets, underWay] = [new Set<Socket>(), new Set<Promise<void>>()];
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, (incoming, outgoing) => {
    const work = serve(room, key, host, incoming, outgoing).finally(() => underWay.delete(work));
    underWay.add(work);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening").catch((error) => {
    throw explain(error, port, host);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await Promise.all(underWay);
    },
  };
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return new UsageError(
      `Port ${port} on ${host}, for the bucket, is in use: stop what listens there, or choose another one with --bucket-port.`,
    );
  if (error.code === "EACCES")
    return new UsageError(
      `Port ${port}, for the bucket, needs more rights than this user has: choose one above 1023 with --bucket-port.`,
    );
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new UsageError(`This machine has no address ${host}: choose another one with --host.`);
  return error;
}

/** One request from its first byte to the last of its answer; keeps its promise whatever happens. */
async function serve(
  room: BucketRoom,
  key: BucketKey,
  host: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const requestId = randomBytes(8).toString("hex").toUpperCase();
  outgoing.setHeader("x-amz-request-id", requestId);
  // A client that goes away in the middle is no error of ours.
  outgoing.on("error", () => {});
  try {
    await send(outgoing, incoming, await perform(room, key, readRequest(incoming, host)));
  } catch (error) {
    if (outgoing.headersSent || incoming.socket.destroyed) {
      outgoing.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : new Refusal("InternalError");
    if (refusal !== error) console.error(error);
    const headers = { "content-type": "application/xml" };
    await send(outgoing, incoming, { status: refusal.status, headers, body: refusal.toXml(requestId) }).catch(() => {});
  }
}

async function perform(room: BucketRoom, key: BucketKey, request: BucketRequest): Promise<BucketAnswer> {
  const proof = verify(request, key, Date.now());
  const { bucket = "", key: objectKey = "" } = request;
  return operationOf(request)({ room, request, proof, bucket, key: objectKey });
}

async function send(outgoing: ServerResponse, incoming: IncomingMessage, answer: BucketAnswer): Promise<void> {
  const { status, headers = {}, body } = answer;
  if (typeof body === "object") {
    outgoing.writeHead(status, headers);
    if (body.end < body.start) {
      await body.handle.close();
      outgoing.end();
    } else await pipeline(body.handle.createReadStream({ start: body.start, end: body.end }), outgoing);
    return;
  }
  // HEAD says the length of what GET would send, and a refusal's words have no place there.
  const text = incoming.method === "HEAD" || body === undefined ? "" : body;
  if (incoming.method !== "HEAD" && status !== 204 && status !== 304) {
    outgoing.setHeader("content-length", Buffer.byteLength(text));
  }
  outgoing.writeHead(status, headers);
  outgoing.end(text);
}
