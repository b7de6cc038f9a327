import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { UsageError } from "../runtime/errors";

/** A listening server. */
export interface Listener {
  /** "http://127.0.0.1:7420". */
  origin: string;
  /** Ends every connection, and is kept once none is left. */
  close(): Promise<void>;
}

interface Address {
  /** 0 takes a free one. */
  port: number;
  host: string;
  /** The option that sets the port. */
  option: string;
  /** What the port is for, where that has to be said. */
  purpose?: string;
}

/**
 * How long an idle connection stays open: longer than any client keeps one, as behind a balancer. Node's own 5 s close
 * it just when a busy client sends its next request, which then fails.
 */
const KEEP_ALIVE_MS = 75_000;

/** Starts to listen. Throws UsageError when the port cannot be had. */
export async function listenOn(address: Address, listener: RequestListener): Promise<Listener> {
  // No limit: a million trace runs may be minutes on their way, and Node would end the request after five.
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(address.port, address.host);
  await once(server, "listening").catch((error) => {
    throw explain(error, address);
  });
  const { host } = address;
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function explain(error: NodeJS.ErrnoException, { port, host, option, purpose }: Address): Error {
  const use = purpose === undefined ? "" : `, for ${purpose},`;
  if (error.code === "EADDRINUSE") {
    const help = `stop what listens there, or choose another one with ${option}.`;
    return new UsageError(`Port ${port} on ${host}${use} is in use: ${help}`);
  }
  if (error.code === "EACCES") {
    return new UsageError(
      `Port ${port}${use} needs more rights than this user has: choose one above 1023 with ${option}.`,
    );
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new UsageError(`This machine has no address ${host}: choose another one with --host.`);
  return error;
}
