import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Platform } from "../platform";

/** Starts a proxy in front of the emulator whose Date header is off by this many milliseconds. */
export async function startDatedProxy(platform: Platform, offsetMs: number): Promise<Pick<Platform, "clock" | "url">> {
  const server = createServer(async (request, response) => {
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const upstream = await fetch(new URL(request.url ?? "", platform.url), {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(parts.length > 0 && { body: Buffer.concat(parts).toString() }),
    });
    const date = new Date(platform.clock.now() + offsetMs).toUTCString();
    const type = upstream.headers.get("content-type");
    response.writeHead(upstream.status, { date, ...(type !== null && { "content-type": type }) });
    response.end(await upstream.text());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.push(server);
  return { clock: platform.clock, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
