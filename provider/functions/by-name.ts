/** The one thing of a name; where there is none, or more than one, an error that lists what there is. */
import { collectAll } from "../api/pagination";
import { sortBySimilarity } from "../text/did-you-mean";
import { UserError } from "../text/user-error";
import { batched } from "./batch";

/** So many names, or ids, stand in an error. */
const LISTED = 10;
/** So many names are asked for one by one; for more of them the list is read. */
const FEW = 2;
/** So many pages of the list are read, for what an error lists, and at least for many names at once. */
const PAGES = 4;

export interface Sort<T> {
  /** What it is called in a message: `deployment`. */
  what: string;
  /** The argument that names it; `name` when absent. */
  by?: string;
  nameOf(item: T): string | null | undefined;
  idOf(item: T): string | null | undefined;
}

/** @param isAll Whether there are no others than these. */
function only<T>(sort: Sort<T>, name: string, items: readonly T[], isAll = true): T | UserError {
  const { what, by = "name", nameOf, idOf } = sort;
  const matches = items.filter((item) => nameOf(item) === name);
  const [match] = matches;
  if (matches.length === 1) return match as T;
  if (match !== undefined) {
    const more = matches.length > LISTED ? `, and ${matches.length - LISTED} more` : "";
    const ids = matches.slice(0, LISTED).map(idOf).join(", ") + more;
    return new UserError(
      `There are ${matches.length} ${what}s with ${by} "${name}"; their ids are ${ids}. Write the id of the one you mean instead of looking it up.`,
    );
  }
  const names = [...new Set(items.flatMap((item) => nameOf(item) ?? []))];
  if (names.length === 0) {
    return new UserError(`There is no ${what} with ${by} "${name}": this workspace has none that the key may see.`);
  }
  const shown = sortBySimilarity(name, names).slice(0, LISTED);
  const more = isAll ? names.length - shown.length : undefined;
  const rest = more === undefined ? ", and others" : more > 0 ? `, and ${more} more` : "";
  const listed = shown.map((known) => `"${known}"`).join(", ");
  return new UserError(`There is no ${what} with ${by} "${name}" that the key may see. There are ${listed}${rest}.`);
}

/** @throws UserError where it is not the only one. */
export function oneOf<T>(sort: Sort<T>, name: string, items: readonly T[]): T {
  const found = only(sort, name, items);
  if (found instanceof UserError) throw found;
  return found;
}

export interface LongList<P extends object, T> extends Sort<T> {
  /** A list in which those of exactly this name are, by pages. */
  search(name: string, place: P): AsyncIterable<readonly T[]>;
  /** The whole list, by pages. */
  pages(place: P): AsyncIterable<readonly T[]>;
}

/** The same where the list may be long: a few names are searched for, and many are found in its pages. */
export function byName<P extends object, T>(list: LongList<P, T>): (place: P, name: string) => Promise<T> {
  return batched<P, T>(async (names, place) => {
    const isRead = names.length > FEW;
    const known = isRead ? await begin(list, place, names) : { items: [], isAll: false };
    const sought = known.isAll ? [] : names.filter((name) => !isIn(list, known.items, name));
    // Names are unique, so what comes after a match is not read.
    const search = (name: string) => collectAll(list.search(name, place), (_all, page) => isIn(list, page, name));
    const found = (await Promise.all(sought.map(search))).flat();
    const isError = sought.some((name) => !isIn(list, found, name));
    const { items, isAll } = isError && !isRead ? await begin(list, place) : known;
    const distinct = new Map([...items, ...found].map((item) => [list.idOf(item), item]));
    return names.map((name) => only(list, name, [...distinct.values()], isAll));
  });
}

const isIn = <T>({ nameOf }: Sort<T>, items: readonly T[], name: string) => items.some((item) => nameOf(item) === name);

/** The first pages: enough for most workspaces. For names that these lack more are read: a page costs no more than a search. */
async function begin<P extends object, T>(
  list: LongList<P, T>,
  place: P,
  names: readonly string[] = [],
): Promise<{ items: T[]; isAll: boolean }> {
  const items: T[] = [];
  let left = names;
  let read = 0;
  for await (const page of list.pages(place)) {
    items.push(...page);
    left = left.filter((name) => !isIn(list, page, name));
    const isFound = names.length > 0 && left.length === 0;
    if (isFound || (++read >= PAGES && read >= names.length)) return { items, isAll: false };
  }
  return { items, isAll: true };
}
