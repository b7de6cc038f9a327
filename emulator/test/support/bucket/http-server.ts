import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";

const servers: Server[] = [];

/** Closes the servers that the test has started; also called after each test. */
export function closeServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}
afterEach(closeServers);

/** Starts a server that is not an object store, and returns its URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}
