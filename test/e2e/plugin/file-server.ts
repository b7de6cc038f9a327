/** A plain HTTP server of the files in a folder, as publishers of plugins use it. */
import { once } from "node:events";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface FileServer {
  url: string;
  stop(): Promise<void>;
}

export async function serveFolder(folder: string): Promise<FileServer> {
  const server = createServer(({ url = "/" }, response) => {
    const file = join(folder, new URL(url, "http://localhost").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    // The CLI rejects a download without its length.
    response.setHeader("content-length", statSync(file).size);
    return createReadStream(file).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
