import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { UsageError } from "../runtime/errors";

/** A listening server. */
export interface Listener {
  /** "http://127.0.0.1:7420". */
  origin: string;
  /** Closes every connection and resolves once all are closed. */
  close(): Promise<void>;
}

interface ListenAddress {
  /** 0: a free port. */
  port: number;
  host: string;
  /** The CLI option that sets the port. */
  option: string;
  /** What the port is used for, as messages name it. */
  purpose?: string;
}

/** Accepts connections that leave HTTP, such as web sockets. */
export interface UpgradeListener {
  /** Whether it accepts this one; all others are ordinary requests, such as those that only offer HTTP/2. */
  accepts(incoming: IncomingMessage): boolean;
  handle(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * How long an idle connection stays open: longer than clients keep one, as behind a load balancer. With the 5 s of
 * Node.js, the server may close a connection just as a busy client sends its next request, which then fails.
 */
const KEEP_ALIVE_MS = 75_000;

/** Starts a server. @throws UsageError if the port cannot be used. */
export async function listenOn(
  address: ListenAddress,
  listener: RequestListener,
  upgrades?: UpgradeListener,
): Promise<Listener> {
  const shouldUpgradeCallback = (incoming: IncomingMessage) => upgrades?.accepts(incoming) ?? false;
  // No request timeout: uploading a million trace runs may take minutes, and Node.js would abort after five.
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, shouldUpgradeCallback };
  const server = createServer(options, listener);
  if (upgrades) {
    server.on("upgrade", (incoming, socket, head) => upgrades.handle(incoming, socket, head));
  }
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(address.port, address.host);
  await once(server, "listening").catch((error) => {
    throw toUsageError(error, address);
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

function toUsageError(error: NodeJS.ErrnoException, { port, host, option, purpose }: ListenAddress): Error {
  const use = purpose === undefined ? "" : ` (${purpose})`;
  if (error.code === "EADDRINUSE") {
    const help = `Stop the process that is using it, or choose another port with ${option}.`;
    return new UsageError(`Port ${port} on ${host}${use} is already in use. ${help}`);
  }
  if (error.code === "EACCES") {
    return new UsageError(`Port ${port}${use} requires elevated privileges. Choose a port above 1023 with ${option}.`);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new UsageError(`The address ${host} does not exist on this machine. Choose another one with --host.`);
  return error;
}
