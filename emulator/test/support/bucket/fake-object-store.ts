import { buffer } from "node:stream/consumers";
import { serve } from "./http-server";

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

/** Starts a store that is stopped after the test. `onPut` is called for each received object, before it is stored. */
export async function startFakeStore(onPut: () => void = () => {}): Promise<FakeObjectStore> {
  const store: FakeObjectStore = { url: "", requests: [], objects: new Map(), stalled: false };
  store.url = await serve(async (request, response) => {
    const content = await buffer(request);
    const { method = "", url = "" } = request;
    store.requests.push(`${method} ${url}`);
    if (method === "PUT") onPut();
    if (method === "PUT" && !store.stalled) store.objects.set(decodeURIComponent(url).slice(1), content);
    if (method === "DELETE") store.objects.delete(decodeURIComponent(url).slice(1));
    if (method !== "PUT" || !store.stalled) response.setHeader("etag", '"0123456789abcdef"').end();
  });
  return store;
}
