import { once } from "node:events";
import type { Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

const started: (Server | SecureServer)[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server, which is stopped after the test. @returns Its port, by default a free one. */
export async function listen(server: Server | SecureServer, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  started.push(server);
  return (server.address() as AddressInfo).port;
}
