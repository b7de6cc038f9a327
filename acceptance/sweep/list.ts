import { type Api, describe, type Reply } from "../target/http.ts";

/** Returns a list of a response. @throws Error without one: that nothing was found must mean that nothing is there. */
export function listIn<T>(api: Api, path: string, reply: Reply, list: unknown = reply.body): T[] {
  if (reply.status === 200 && Array.isArray(list)) return list;
  throw new Error(`${api.url}${path} returned no list: ${describe(reply)}`);
}
