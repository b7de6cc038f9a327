/** Lists the threads of a server, and other things, also while others create and delete some. */
import { MAX_PAGE_SIZE } from "../../api/agent-server/object-client";
import { PAGE_SIZE } from "../../api/pagination";
import { UserError } from "../../text/user-error";
import { type ConversationServer, type ListedThread, type Route, readFitting, toList } from "./conversation-server";

/** Threads that two pages share: more than others delete while one is read. */
const OVERLAP = 100;
/** Passes until one shows nothing new. */
const MAX_PASSES = 10;

export interface ServerList<T> {
  path: string;
  /** What each request contains besides the page. */
  body?: object;
  /** Of the response, which contains the list. Default: the response is the list. */
  field?: string;
  /** Sends the request for a page. Undefined ends the list. Default: `server.read`. */
  read?(route: Route): Promise<string | undefined>;
  idOf(item: T): string;
}

/** Lists the threads, oldest first. Pages overlap, since a deleted thread moves the rest; new ones come next time. */
export async function* listThreads(
  server: ConversationServer,
  filter: { metadata?: object } = {},
): AsyncGenerator<ListedThread> {
  const order = { sort_by: "created_at", sort_order: "asc" };
  const body = { ...filter, ...order, select: ["thread_id", "created_at", "status", "metadata"] };
  yield* listAll(server, { path: "/threads/search", body, idOf: ({ thread_id: id }: ListedThread) => id }, OVERLAP);
}

/** Reads a list again until that shows nothing new. Without an overlap, one of a single page is read once. */
export async function* listAll<T extends object>(
  server: ConversationServer,
  list: ServerList<T>,
  overlap = 0,
): AsyncGenerator<T> {
  const { read = (route: Route) => server.read(route) } = list;
  const seen = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = seen.size;
    let pages = 0;
    for await (const page of pagesOf(read, list, overlap)) {
      pages += 1;
      for (const item of page) {
        if (seen.has(list.idOf(item))) continue;
        seen.add(list.idOf(item));
        yield item;
      }
    }
    if (seen.size === before || (pages === 1 && overlap === 0)) return;
  }
}

/**
 * Reads pages until one shows nothing new: a server may return fewer items than requested, and have more.
 * @param read Returns the text of a page; undefined where the server lacks the route.
 */
export async function* pagesOf<T extends object>(
  read: (route: Route) => Promise<string | undefined>,
  { path, body, field, idOf }: ServerList<T>,
  overlap = 0,
): AsyncGenerator<T[]> {
  const shown = new Set<string>();
  for (let [offset, limit] = [0, MAX_PAGE_SIZE]; ; ) {
    const readUpTo = (count: number) => read({ method: "POST", path, body: { ...body, limit: count, offset } });
    const [text, fitting] = await readFitting(limit, readUpTo);
    if (text === undefined) return;
    const page = toList<T>(text, path, field);
    const ids = page.map(idOf);
    if (ids.every((id) => shown.has(id))) {
      const [first] = shown;
      // Without pages, a server returns everything at once, or only as much as is usual.
      if (ids[0] !== first || ![fitting, PAGE_SIZE].includes(page.length)) return;
      throw new UserError(`${path} repeats its first ${page.length} items. Check that the server uses \`offset\`.`);
    }
    yield page;
    for (const id of ids) shown.add(id);
    offset += page.length - Math.min(overlap, Math.floor(page.length / 2));
    limit = fitting;
  }
}
