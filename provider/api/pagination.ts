/** Lists that come in pages: read to their end, and never without end. */
import { UserError } from "../text/user-error";

/** The largest page of a list of deployments (interface section 8), and what is asked for of other lists. */
export const PAGE_SIZE = 100;

/** A list that continues after this many pages counts as endless. */
const MAX_PAGES = 1000;
/** So many pages in a row may hold nothing new, since a list can move while it is read. */
const MAX_STALE_PAGES = 3;

export interface Page<T, C = number> {
  items: readonly T[];
  /** Where the next page begins; undefined where the server said that the list has ended. */
  next: C | undefined;
}

export interface PageSource<T, C> {
  /** What is listed, as errors call it: `deployments`. */
  what: string;
  /** Items asked for per page. A server may return fewer and still have more. */
  limit: number;
  /** What is listed twice counts once; the field `id` when absent. An item without an ID always counts. */
  idOf?(item: T): unknown;
  /**
   * Reads the page at a cursor, without one the first.
   * @returns Undefined where the server refuses every page but the first.
   */
  read(cursor: C | undefined): Promise<Page<T, C> | undefined>;
  /** What the user can do where the server does not show all of it. */
  hint?(count: number): string;
}

/** The new items of page after page; returns whether the server itself said that the list has ended. */
export type Pages<T> = AsyncGenerator<readonly T[], boolean>;

/** A list could not be read to its end, so nothing follows from what is missing in it. */
export class IncompleteListError extends UserError {
  override name = "IncompleteListError";
}

/** The next offset: the server's where it advanced, else by counting. An empty page ends a list; a short one does not. */
export function nextOffset(offset: number, received: number, serverOffset?: number | null): number | undefined {
  if (received === 0) return undefined;
  return Number.isSafeInteger(serverOffset) && Number(serverOffset) > offset ? Number(serverOffset) : offset + received;
}

/**
 * Reads a list to its end: an empty page, or a page without a next one.
 * @throws IncompleteListError where the server repeats itself, or does not end within a thousand pages.
 */
export async function* paginate<T, C>(source: PageSource<T, C>): Pages<T> {
  const { what, limit, idOf = (item: T) => (item as { id?: unknown }).id, read, hint } = source;
  const seenKeys = new Set<unknown>();
  const cursors = new Set<C | undefined>([undefined]);
  const incomplete = (why: string) =>
    new IncompleteListError(
      `Could not list all ${what}: after ${seenKeys.size} of them the server ${why}. ${hint?.(seenKeys.size) ?? "Does it support paging?"}`,
    );
  let first: Page<T, C> | undefined;
  let stalePages = 0;
  for (let pages = 0, cursor: C | undefined; pages < MAX_PAGES; pages++) {
    const page = await read(cursor);
    const newItems = page?.items.filter((item) => isNew(idOf(item) ?? item, seenKeys)) ?? [];
    if (first && newItems.length === 0 && (!page || startsOver(page, first, idOf))) {
      // A server without paging shows all it has at once. Only a page as full as was asked for is surely cut off.
      if (pages === 1 && first.items.length !== limit) return false;
      throw incomplete(page ? "returned the first page again" : "refused the next page");
    }
    first ??= page;
    if (newItems.length > 0) yield newItems;
    if (page?.next === undefined) return true;
    stalePages = newItems.length > 0 ? 0 : stalePages + 1;
    // At the end of a log there is a cursor for what is written later.
    if (stalePages === MAX_STALE_PAGES && page.items.length === 0) return true;
    if (stalePages === MAX_STALE_PAGES || cursors.has(page.next)) throw incomplete("repeated its pages");
    cursors.add(page.next);
    cursor = page.next;
  }
  throw incomplete(`still returned more after ${MAX_PAGES} pages`);
}

/** All of a list, or what it shows until that is enough; then no further page is asked for. */
export async function collectAll<T>(
  pages: AsyncIterable<readonly T[]>,
  isEnough: IsEnough<T> = () => false,
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) {
    all.push(...page);
    if (isEnough(all, page)) break;
  }
  return all;
}
export type IsEnough<T> = (all: readonly T[], page: readonly T[]) => boolean;

/** The same as far as the server shows it, for those who conclude nothing from what is missing. */
export async function collectAvailable<T>(
  pages: AsyncIterable<readonly T[]>,
  isEnough: IsEnough<T>,
): Promise<{ items: T[]; isCutOff: boolean }> {
  let items: readonly T[] = [];
  const record: IsEnough<T> = (all, page) => {
    items = all;
    return isEnough(all, page);
  };
  const isCutOff = await collectAll(pages, record).then(
    () => false,
    (error: unknown) => {
      if (error instanceof IncompleteListError) return true;
      throw error;
    },
  );
  return { items: [...items], isCutOff };
}

/** The first that matches; pages after it are not asked for. */
export async function findFirst<T>(
  pages: AsyncIterable<readonly T[]>,
  matches: (item: T) => boolean,
): Promise<T | undefined> {
  for await (const items of pages) {
    const match = items.find(matches);
    if (match !== undefined) return match;
  }
  return undefined;
}

function startsOver<T>(page: Page<T, unknown>, first: Page<T, unknown>, idOf: (item: T) => unknown): boolean {
  const [one, other] = [page.items[0], first.items[0]];
  return one !== undefined && other !== undefined && idOf(one) !== undefined && idOf(one) === idOf(other);
}

function isNew(key: unknown, seenKeys: Set<unknown>): boolean {
  const isKnown = seenKeys.has(key);
  seenKeys.add(key);
  return !isKnown;
}
