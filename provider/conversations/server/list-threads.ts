/** Lists the threads of a server, and other things, also while others create and delete some. */
import { type ConversationServer, type ListedThread, toList } from "./conversation-server";

const PAGE_SIZE = 1000;
/** Threads that two pages share: more than others delete while one is read. */
const OVERLAP = 100;
/** Passes until one shows nothing new. */
const MAX_PASSES = 10;

/** Lists the threads, oldest first. Pages overlap, since a deleted thread moves the rest; new ones come next time. */
export async function* listThreads(
  server: ConversationServer,
  filter: { metadata?: object } = {},
): AsyncGenerator<ListedThread> {
  yield* untilNothingNew(
    () => listOnce(server, filter),
    ({ thread_id: id }) => id,
  );
}

/**
 * Reads a list again until that shows nothing new. @param single A list of fewer items is one response: then once is
 * enough.
 */
export async function* untilNothingNew<T>(
  list: () => AsyncIterable<T>,
  idOf: (item: T) => string,
  single = 0,
): AsyncGenerator<T> {
  const seen = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = seen.size;
    for await (const item of list()) {
      if (seen.has(idOf(item))) continue;
      seen.add(idOf(item));
      yield item;
    }
    if (seen.size === before || seen.size < single) return;
  }
}

async function* listOnce(server: ConversationServer, filter: object): AsyncGenerator<ListedThread> {
  for (let offset = 0; ; offset += PAGE_SIZE - OVERLAP) {
    const body = {
      ...filter,
      ...{ limit: PAGE_SIZE, offset, sort_by: "created_at", sort_order: "asc" },
      select: ["thread_id", "created_at", "status", "metadata"],
    };
    const text = await server.read({ method: "POST", path: "/threads/search", body });
    const page = toList<ListedThread>(text, "its threads");
    yield* page;
    if (page.length < PAGE_SIZE) return;
  }
}
