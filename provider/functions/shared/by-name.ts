/** Requests that concurrent functions share, none of them from before a call; and the one object with a name. */
import { createLoader } from "../../api/batch";
import { collectAll } from "../../api/pagination";
import { sortBySimilarity } from "../../text/did-you-mean";
import { UserError } from "../../text/user-error";

/**
 * Returns a function that reads one key within a scope, such as the clients of one server.
 * @param readMany Reads keys, each different; returns a value or an error for each, in their order.
 */
export function batched<S extends object, V>(
  readMany: (keys: readonly string[], scope: S) => Promise<readonly (V | Error)[]>,
): (scope: S, key: string) => Promise<V> {
  const loaders = new WeakMap<S, (key: string) => Promise<V>>();
  return (scope, key) => {
    const load = loaders.get(scope) ?? createLoader<V>((keys) => readMany(keys, scope));
    loaders.set(scope, load);
    return load(key);
  };
}

/** Shares one read without a key, such as a whole list. */
export function coalesced<S extends object, V>(read: (scope: S) => Promise<V>): (scope: S) => Promise<V> {
  const load = batched<S, V>(async (_keys, scope) => [await read(scope)]);
  return (scope) => load(scope, "");
}

const MAX_LISTED = 10;
/** The most names that are searched one by one; for more, the list is read. */
export const MAX_SEARCHES = 2;
/** The pages of the list that are read for the names in an error, and at least for many names at once. */
const MIN_PAGES = 4;

export interface Lister<T> {
  noun: string;
  argument?: string;
  nameOf(item: T): string | null | undefined;
  idOf(item: T): string | null | undefined;
}

/** @param isAll Whether the items are the whole list. */
export function exactlyOne<T>(lister: Lister<T>, name: string, items: readonly T[], isAll = true): T | UserError {
  const { noun, argument = "name", nameOf, idOf } = lister;
  const matches = items.filter((item) => nameOf(item) === name);
  const [match] = matches;
  if (matches.length === 1) return match as T;
  if (match !== undefined) {
    const more = matches.length > MAX_LISTED ? `, and ${matches.length - MAX_LISTED} more` : "";
    const ids = matches.slice(0, MAX_LISTED).map(idOf).join(", ") + more;
    return new UserError(
      `Found ${matches.length} ${noun}s with ${argument} "${name}" (IDs: ${ids}). Use the ID of the intended ` +
        "one instead.",
    );
  }
  const names = [...new Set(items.flatMap((item) => nameOf(item) ?? []))];
  if (names.length === 0) {
    return new UserError(
      `No ${noun} with ${argument} "${name}": this API key can see no ${noun}s in the workspace. Check ` +
        "apiKey and tenantId.",
    );
  }
  const closest = sortBySimilarity(name, names).slice(0, MAX_LISTED);
  const more = isAll ? names.length - closest.length : undefined;
  const rest = more === undefined ? ", and others" : more > 0 ? `, and ${more} more` : "";
  const listed = closest.map((name) => `"${name}"`).join(", ");
  return new UserError(
    `No ${noun} with ${argument} "${name}" is visible to this API key. Available: ${listed}${rest}.`,
  );
}

export function requireOne<T>(lister: Lister<T>, name: string, items: readonly T[]): T {
  const result = exactlyOne(lister, name, items);
  if (result instanceof UserError) throw result;
  return result;
}

export interface PagedLister<S extends object, T> extends Lister<T> {
  /** Pages of a list that contains all objects with exactly this name. */
  search(name: string, scope: S): AsyncIterable<readonly T[]>;
  pages(scope: S): AsyncIterable<readonly T[]>;
}

/** The same for a paged list, batched: a few names are searched, many are found in the pages of the list. */
export function batchedByName<S extends object, T>(list: PagedLister<S, T>): (scope: S, name: string) => Promise<T> {
  return batched<S, T>(async (names, scope) => {
    const readsList = names.length > MAX_SEARCHES;
    const listed = readsList ? await firstPages(list, scope, names) : { items: [], isAll: false };
    const missing = listed.isAll ? [] : names.filter((name) => !hasName(list, listed.items, name));
    // Names are unique, so pages after a match are not read.
    const search = (name: string) => collectAll(list.search(name, scope), (_all, page) => hasName(list, page, name));
    const searched = (await Promise.all(missing.map(search))).flat();
    const isError = missing.some((name) => !hasName(list, searched, name));
    const { items, isAll } = isError && !readsList ? await firstPages(list, scope) : listed;
    const distinct = new Map([...items, ...searched].map((item) => [list.idOf(item), item]));
    return names.map((name) => exactlyOne(list, name, [...distinct.values()], isAll));
  });
}

const hasName = <T>({ nameOf }: Lister<T>, items: readonly T[], name: string) =>
  items.some((item) => nameOf(item) === name);

/** Reads the first pages, enough for most workspaces, and one more per name: a search costs as much. */
async function firstPages<S extends object, T>(
  list: PagedLister<S, T>,
  scope: S,
  names: readonly string[] = [],
): Promise<{ items: T[]; isAll: boolean }> {
  const items: T[] = [];
  let missing = names;
  let pages = 0;
  for await (const page of list.pages(scope)) {
    for (const item of page) items.push(item);
    missing = missing.filter((name) => !hasName(list, page, name));
    const isFound = names.length > 0 && missing.length === 0;
    if (isFound || (++pages >= MIN_PAGES && pages >= names.length)) return { items, isAll: false };
  }
  return { items, isAll: true };
}
