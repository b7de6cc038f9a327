import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Platform } from "../platform";

/** How long a deletion waits for a read, in milliseconds: only failing tests wait so long. */
const PATIENCE_MS = 2000;

/** Longer than a deletion takes in the emulator. */
const DELETION_MS = 60_000;

type Deferred = PromiseWithResolvers<void>;

export interface DeletionProxy extends Pick<Platform, "clock" | "url"> {
  /** The deletions and the reads of single deployments since the first deletion, such as `GET during DELETE`. */
  readonly requests: string[];
}

/**
 * Starts a proxy in front of the emulator that responds to a deletion when it has ended, and delays some deletions until
 * the deployment is read.
 * @param delayed The numbers of these deletions, and whether the server receives them before that read or after it.
 */
export async function startDeletionProxy(
  platform: Platform,
  delayed: Record<number, "before the read" | "after the read">,
): Promise<DeletionProxy> {
  const requests: string[] = [];
  let deletions = 0;
  let current: { order: string | undefined; read: Deferred; done: Deferred } | undefined;
  const forward = async (incoming: IncomingMessage) => {
    const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers as Record<string, string>;
    const body = await text(incoming);
    return fetch(platform.url + incoming.url, { method: incoming.method ?? "", headers, ...(body !== "" && { body }) });
  };
  const forwardDeletion = async (incoming: IncomingMessage) => {
    requests.push("DELETE");
    const order = delayed[++deletions];
    const [read, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    current = { order, read, done };
    const patience = setTimeout(read.resolve, order ? PATIENCE_MS : 0);
    if (order === "after the read") await read.promise;
    const response = await forward(incoming);
    await platform.advance(DELETION_MS);
    done.resolve();
    await read.promise;
    clearTimeout(patience);
    current = undefined;
    return response;
  };
  const forwardRead = async (incoming: IncomingMessage) => {
    if (deletions > 0) requests.push(current ? "GET during DELETE" : "GET");
    const deletion = current;
    if (deletion?.order === "before the read") await deletion.done.promise;
    const response = await forward(incoming);
    deletion?.read.resolve();
    return response;
  };
  const handle = ({ method, url = "" }: IncomingMessage) => {
    if (method === "DELETE") return forwardDeletion;
    return method === "GET" && /^\/v2\/deployments\/[^/?]+$/.test(url) ? forwardRead : forward;
  };
  const server = createServer(async (incoming, outgoing) => {
    const response = await handle(incoming)(incoming);
    outgoing.writeHead(response.status, { "content-type": "application/json" }).end(await response.text());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  started.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock: platform.clock, requests };
}

const started: Server[] = [];
afterEach(() => {
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
