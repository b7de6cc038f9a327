/** Threads of runs, which have no name: their metadata contains the prefix and the run. */
import { type Api, ok } from "../target/http.ts";
import type { Leftover } from "./leftover.ts";

const PAGE = 100;

/** Finds the threads on an agent server whose run begins with a text. */
export async function findThreads(api: Api, prefix: string): Promise<Leftover[]> {
  // Metadata is compared as a whole: the first word of the names of all runs is their prefix.
  const metadata = { acceptance: prefix.replace(/-(\d{12}-.*)?$/, "") };
  const { status, body } = await api.post("/threads/search", { metadata, limit: PAGE });
  if (status !== 200 || !Array.isArray(body)) return [];
  const threads: { thread_id: string; metadata?: { acceptance?: string; run?: string } }[] = body;
  return threads.flatMap(({ thread_id: id, metadata: found }) => {
    // A server may ignore the filter.
    if (found?.acceptance !== metadata.acceptance || !found.run?.startsWith(prefix)) return [];
    const remove = async () => {
      const reply = await api.delete(`/threads/${id}`);
      if (ok(reply)) return "removed";
      if (![404, 405, 501].includes(reply.status)) return "failed";
      return ok(await api.get(`/threads/${id}`)) ? "unsupported" : "removed";
    };
    return [{ kind: "thread" as const, id, name: found.run, remove: remove as Leftover["remove"] }];
  });
}
