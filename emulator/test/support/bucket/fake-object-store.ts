import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An object store that takes everything, and can be slow. */
export interface FakeObjectStore {
  url: string;
  /** What was asked, as "PUT /bucket/key", when the request had arrived whole. */
  requests: string[];
  /** The keys with what lies under them. */
  objects: Map<string, Buffer>;
  /** While true, what is put is neither kept nor answered. */
  stalled: boolean;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts one that is stopped after the test. `onPut` is called with each object that has arrived, before it is kept. */
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
