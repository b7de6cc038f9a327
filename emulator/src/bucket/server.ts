import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { UsageError } from "../runtime/errors";
import { lazy } from "../runtime/lazy";
import type { BucketKey } from "./requests/signature";
import type { BucketRoom } from "./service";

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

const requestHandler = lazy(() => require("./request-handler") as typeof import("./request-handler"));

/** Starts to serve buckets. Throws UsageError when the port cannot be had. */
export async function serveBuckets(room: BucketRoom, { port, host, key }: BucketOptions): Promise<BucketServer> {
  const [sockets, underWay] = [new Set<Socket>(), new Set<Promise<void>>()];
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, (incoming, outgoing) => {
    const work = requestHandler()
      .serve(room, key, host, incoming, outgoing)
      .finally(() => underWay.delete(work));
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
