/** Reads paged lists to their end, within a bounded number of pages. */
import { inPlaceOf, recoverFrom } from "../http/errors";
import { UserError } from "../text/user-error";

/** Items per page: the maximum for deployments (API `8.Deployment list page size`), used for other lists too. */
export const PAGE_SIZE = 100;

const MAX_PAGES = 1000;
/** The most consecutive pages without a new item. Some are normal, since a list can shift while it is read. */
const MAX_STALE_PAGES = 3;

export interface Page<T, C = number> {
  items: readonly T[];
  /** The cursor of the next page; undefined at the end of the list. */
  next: C | undefined;
}

export interface PageSource<T, C> {
  noun: string;
  /** Items requested per page. A server may return fewer and still have more. */
  limit: number;
  /** The key for removing duplicates; the field `id` when absent. An item without a key is never a duplicate. */
  idOf?(item: T): unknown;
  /** Reads a page. @returns Undefined where the server rejects requests for pages after the first. */
  read(cursor: C | undefined): Promise<Page<T, C> | undefined>;
  /** What the user can do when the server does not return the whole list. */
  hint?(count: number): string;
}

/** Yields the new items of each page; returns whether the server confirmed the end of the list. */
export type Pages<T> = AsyncGenerator<readonly T[], boolean>;

/** A list could not be read to its end, so an absent item may exist. */
export class IncompleteListError extends UserError {
  override name = "IncompleteListError";
}

/** Returns the next offset: the server's where it advanced, else by counting. Only an empty page ends a list. */
export function nextOffset(offset: number, received: number, serverOffset?: unknown): number | undefined {
  if (received === 0) return undefined;
  return Number.isSafeInteger(serverOffset) && Number(serverOffset) > offset ? Number(serverOffset) : offset + received;
}

/** Reads a list to its end. @throws IncompleteListError when pages repeat, or there are more than MAX_PAGES. */
export async function* paginate<T, C>(source: PageSource<T, C>): Pages<T> {
  const { noun, limit, idOf = (item: T) => (item as { id?: unknown }).id, read, hint } = source;
  const seenKeys = new Set<unknown>();
  const cursors = new Set<C | undefined>([undefined]);
  const incomplete = (why: string) =>
    new IncompleteListError(
      `Could not list all ${noun}: after ${seenKeys.size} of them the server ${why}. ` +
        `${hint?.(seenKeys.size) ?? "Does it support paging?"}`,
    );
  let first: Page<T, C> | undefined;
  let stalePages = 0;
  for (let pages = 0, cursor: C | undefined; pages < MAX_PAGES; pages++) {
    const page = await read(cursor);
    const newItems = page?.items.filter((item) => isNew(idOf(item) ?? item, seenKeys)) ?? [];
    if (first && newItems.length === 0 && (!page || startsOver(page, first, idOf))) {
      // A server without paging returns everything at once. Only a full page, of either size, is cut off.
      if (pages === 1 && ![limit, PAGE_SIZE].includes(first.items.length)) return false;
      throw incomplete(page ? "returned the first page again" : "rejected the next page");
    }
    first ??= page;
    if (newItems.length > 0) yield newItems;
    if (page?.next === undefined) return true;
    stalePages = newItems.length > 0 ? 0 : stalePages + 1;
    // The end of a log has a cursor for lines that are written later.
    if (stalePages === MAX_STALE_PAGES && page.items.length === 0) return true;
    if (stalePages === MAX_STALE_PAGES || cursors.has(page.next)) throw incomplete("repeated its pages");
    cursors.add(page.next);
    cursor = page.next;
  }
  throw incomplete(`still returned more after ${MAX_PAGES} pages`);
}

/** Paginates a list of which a server may reject the parameters for pages after the first. */
export function paginateUntilRejected<T, C>({ read, ...list }: Omit<PageSource<T, C>, "hint">): Pages<T> {
  return paginate<T, C>({
    ...list,
    hint: (count) => `Set \`limit: ${count}\` to read only those.`,
    read: (cursor) =>
      read(cursor).catch(inPlaceOf(({ isRejection }) => cursor !== undefined && isRejection, undefined)),
  });
}

/** Collects a list to its end, or until it is enough; then no further page is requested. @param all To add to. */
export async function collectAll<T>(
  pages: AsyncIterable<readonly T[]>,
  isEnough: IsEnough<T> = () => false,
  all: T[] = [],
): Promise<T[]> {
  for await (const page of pages) {
    for (const item of page) all.push(item);
    if (isEnough(all, page)) break;
  }
  return all;
}
export type IsEnough<T> = (all: readonly T[], page: readonly T[]) => boolean;

/** Collects as much as the server returns, for callers that conclude nothing from an absent item. */
export async function collectAvailable<T>(
  pages: AsyncIterable<readonly T[]>,
  isEnough: IsEnough<T>,
): Promise<{ items: T[]; isTruncated: boolean }> {
  const items: T[] = [];
  const collected = collectAll(pages, isEnough, items).then(() => false);
  return { items, isTruncated: await collected.catch(recoverFrom(IncompleteListError, () => true)) };
}

/** Returns the first match; pages after it are not requested. */
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
