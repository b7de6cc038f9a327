/** The parameters of a list. */
export interface ListQuery {
  prefix: string;
  /** Keys that contain it after the prefix are grouped by the text up to it; empty for none. */
  delimiter: string;
  /** The last key or group of the previous page. */
  after: string;
  max: number;
}

export interface Page<T> {
  entries: T[];
  /** The groups, each once. */
  prefixes: string[];
  /** Where the next page continues; undefined on the last page. */
  next: string | undefined;
}

/**
 * Returns one page of a list. `sorted` yields entries after `after` and not before `prefix`, by key; it is read lazily.
 */
export function paginate<T extends { key: string }>(sorted: Iterable<T>, query: ListQuery): Page<T> {
  const { prefix, delimiter, after, max } = query;
  const page: Page<T> = { entries: [], prefixes: [], next: undefined };
  let last = "";
  for (const entry of sorted) {
    if (!entry.key.startsWith(prefix)) break;
    const group = commonPrefixOf(entry.key, prefix, delimiter);
    if (group !== undefined && (group === after || group === page.prefixes.at(-1))) continue;
    if (page.entries.length + page.prefixes.length === max) {
      // An empty page has no position to continue from.
      if (max > 0) page.next = last;
      break;
    }
    if (group === undefined) page.entries.push(entry);
    else page.prefixes.push(group);
    last = group ?? entry.key;
  }
  return page;
}

/** Returns the group of a key: its text up to and including the first delimiter after the prefix. */
function commonPrefixOf(key: string, prefix: string, delimiter: string): string | undefined {
  const index = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return index === -1 ? undefined : key.slice(0, index + delimiter.length);
}
