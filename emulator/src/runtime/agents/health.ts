import { once } from "node:events";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** "localhost" is one or the other. */
const loopbackHosts = ["127.0.0.1", "::1"];

/** Milliseconds between two looks at an agent that is starting, and for one response. */
export const pollMs = 50;
const responseMs = 2000;

/** Returns a port that no process uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Returns the address at which `/ok` returns 200; undefined if it does not. */
export async function findHealthy(port: number, signal: AbortSignal): Promise<string | undefined> {
  for (const host of loopbackHosts) {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
    if ((await statusOf(host, port, timeout)) === 200) return host;
  }
  return undefined;
}

function statusOf(host: string, port: number, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = get({ host, port, path: "/ok", agent: false, signal }, (response) => {
      response.resume();
      response.on("error", () => {});
      resolve(response.statusCode);
    });
    request.on("error", () => resolve(undefined));
  });
}
