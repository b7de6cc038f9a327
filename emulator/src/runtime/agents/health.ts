import { once } from "node:events";
import { get } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** "localhost" is one or the other. */
const loopbackHosts = ["127.0.0.1", "::1"];

/** Milliseconds for one response. */
const responseMs = 2000;

/** The longest part of a response that is shown, in characters. */
const shownLength = 200;

/** Returns the milliseconds between two looks at an agent that is starting: it may log each of them. */
export function pauseAfter(elapsedMs: number): number {
  return Math.min(Math.max(elapsedMs / 20, 50), 1000);
}

/** Returns a port that no process uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** What a look at `/ok` found: the address at which it returns 200, or what happens instead. */
export type Health = { host: string } | { problem: string };

export const REFUSED = "the connection was refused";

/** Requests `/ok` at a port. */
export async function lookAtHealth(port: number, signal: AbortSignal): Promise<Health> {
  let problem = REFUSED;
  for (const host of loopbackHosts) {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(responseMs)]);
    const found = await requestHealth(host, port, timeout);
    if (found === undefined) return { host };
    if (problem === REFUSED) problem = found;
  }
  return { problem };
}

/** Returns what is wrong; undefined if `/ok` returns 200. */
function requestHealth(host: string, port: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { "user-agent": "agentgraph-emulator" };
    const request = get({ host, port, path: "/ok", agent: false, headers, signal }, (response) => {
      const { statusCode } = response;
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        if (text.length < shownLength) text += part;
      });
      response.on("error", () => {});
      response.on("close", () => {
        const shown = text.slice(0, shownLength).replace(/\s+/g, " ").trim();
        resolve(`it returned ${statusCode} ${shown}`.trim());
      });
      if (statusCode === 200) resolve(undefined);
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(describe(error, signal)));
  });
}

function describe(error: NodeJS.ErrnoException, signal: AbortSignal): string {
  if (error.code === "ECONNREFUSED" || error.code === "EADDRNOTAVAIL") return REFUSED;
  if (signal.aborted) return `it did not respond within ${responseMs / 1000} s`;
  return `it did not respond: ${error.message}`;
}
