/** The one thing of a name; where there is none, or more than one, an error that lists what there is. */
import { collectAll } from "../api/pagination";
import { sortBySimilarity } from "../text/did-you-mean";
import { UserError } from "../text/user-error";
import { batched } from "./batch";

/** So many names, or ids, stand in an error. */
const MAX_LISTED = 10;
/** So many names are asked for one by one; for more of them the list is read. */
const MAX_SEARCHES = 2;
/** So many pages of the list are read, for what an error lists, and at least for many names at once. */
const MIN_PAGES = 4;

export interface Lister<T> {
  /** What it is called in a message: `deployment`. */
  what: string;
  /** The argument that names it; `name` when absent. */
  by?: string;
  nameOf(item: T): string | null | undefined;
  idOf(item: T): string | null | undefined;
}

/** @param isAll Whether there are no others than these. */
function exactlyOne<T>(lister: Lister<T>, name: string, items: readonly T[], isAll = true): T | UserError {
  const { what, by = "name", nameOf, idOf } = lister;
  const matches = items.filter((item) => nameOf(item) === name);
  const [match] = matches;
  if (matches.length === 1) return match as T;
  if (match !== undefined) {
    const more = matches.length > MAX_LISTED ? `, and ${matches.length - MAX_LISTED} more` : "";
    const ids = matches.slice(0, MAX_LISTED).map(idOf).join(", ") + more;
    return new UserError(
      `There are ${matches.length} ${what}s with ${by} "${name}"; their ids are ${ids}. Write the id of the one you mean instead of looking it up.`,
    );
  }
  const names = [...new Set(items.flatMap((item) => nameOf(item) ?? []))];
  if (names.length === 0) {
    return new UserError(`There is no ${what} with ${by} "${name}": this workspace has none that the key may see.`);
  }
  const shown = sortBySimilarity(name, names).slice(0, MAX_LISTED);
  const more = isAll ? names.length - shown.length : undefined;
  const rest = more === undefined ? ", and others" : more > 0 ? `, and ${more} more` : "";
  const listed = shown.map((known) => `"${known}"`).join(", ");
  return new UserError(`There is no ${what} with ${by} "${name}" that the key may see. There are ${listed}${rest}.`);
}

/** @throws UserError where it is not the only one. */
export function requireOne<T>(lister: Lister<T>, name: string, items: readonly T[]): T {
  const found = exactlyOne(lister, name, items);
  if (found instanceof UserError) throw found;
  return found;
}

export interface PagedLister<P extends object, T> extends Lister<T> {
  /** A list in which those of exactly this name are, by pages. */
  search(name: string, scope: P): AsyncIterable<readonly T[]>;
  /** The whole list, by pages. */
  pages(scope: P): AsyncIterable<readonly T[]>;
}

/** The same where the list may be long: a few names are searched for, and many are found in its pages. */
export function findByName<P extends object, T>(list: PagedLister<P, T>): (scope: P, name: string) => Promise<T> {
  return batched<P, T>(async (names, scope) => {
    const isRead = names.length > MAX_SEARCHES;
    const known = isRead ? await firstPages(list, scope, names) : { items: [], isAll: false };
    const sought = known.isAll ? [] : names.filter((name) => !hasName(list, known.items, name));
    // Names are unique, so what comes after a match is not read.
    const search = (name: string) => collectAll(list.search(name, scope), (_all, page) => hasName(list, page, name));
    const found = (await Promise.all(sought.map(search))).flat();
    const isError = sought.some((name) => !hasName(list, found, name));
    const { items, isAll } = isError && !isRead ? await firstPages(list, scope) : known;
    const distinct = new Map([...items, ...found].map((item) => [list.idOf(item), item]));
    return names.map((name) => exactlyOne(list, name, [...distinct.values()], isAll));
  });
}

const hasName = <T>({ nameOf }: Lister<T>, items: readonly T[], name: string) =>
  items.some((item) => nameOf(item) === name);

/** The first pages: enough for most workspaces. For names that these lack more are read: a page costs no more than a search. */
async function firstPages<P extends object, T>(
  list: PagedLister<P, T>,
  scope: P,
  names: readonly string[] = [],
): Promise<{ items: T[]; isAll: boolean }> {
  const items: T[] = [];
  let left = names;
  let read = 0;
  for await (const page of list.pages(scope)) {
    items.push(...page);
    left = left.filter((name) => !hasName(list, page, name));
    const isFound = names.length > 0 && left.length === 0;
    if (isFound || (++read >= MIN_PAGES && read >= names.length)) return { items, isAll: false };
  }
  return { items, isAll: true };
}
