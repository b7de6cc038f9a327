import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An object store that accepts everything and can stall. */
export interface FakeObjectStore {
  url: string;
  /** The requests that were received completely, as "PUT /bucket/key". */
  requests: string[];
  /** The objects by key. */
  objects: Map<string, Buffer>;
  /** While true, objects are neither stored nor acknowledged. */
  stalled: boolean;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a store that is stopped after the test. `onPut` is called for each received object, before it is stored. */
export async function startFakeStore(onPut: () => void = () => {}): Promise<FakeObjectStore> {
  const store: FakeObjectStore = { url: "", requests: [], objects: new Map(), stalled: false };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "" } = request;
    store.requests.push(`${method} ${url}`);
    if (method === "PUT") onPut();
    if (method === "PUT" && !store.stalled) store.objects.set(decodeURIComponent(url).slice(1), Buffer.concat(chunks));
    if (method === "DELETE") store.objects.delete(decodeURIComponent(url).slice(1));
    if (method !== "PUT" || !store.stalled) respondOk(response);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  store.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return store;
}

function respondOk(response: ServerResponse): void {
  response.setHeader("etag", '"0123456789abcdef"');
  response.end();
}
