/** What of a list is asked for. */
export interface ListQuery {
  prefix: string;
  /** Keys with it after the prefix are rolled up to what stands before it; empty for none. */
  delimiter: string;
  /** Where the page before ended: the last key or rolled-up prefix of it. */
  after: string;
  max: number;
}

export interface Page<T> {
  entries: T[];
  /** The rolled-up prefixes, each once. */
  prefixes: string[];
  /** What the next page is to come after; undefined on the last one. */
  next: string | undefined;
}

/**
 * One page of a list of S3. `sorted` gives what has a key after `after` and not before `prefix`, in order; it is read no
 * further than needed.
 */
export function pageOf<T extends { key: string }>(sorted: Iterable<T>, query: ListQuery): Page<T> {
  const { prefix, delimiter, after, max } = query;
  const page: Page<T> = { entries: [], prefixes: [], next: undefined };
  let last = "";
  for (const entry of sorted) {
    if (!entry.key.startsWith(prefix)) break;
    const group = groupOf(entry.key, prefix, delimiter);
    if (group !== undefined && (group === after || group === page.prefixes.at(-1))) continue;
    if (page.entries.length + page.prefixes.length === max) {
      // A page of none has no end to go on from.
      if (max > 0) page.next = last;
      break;
    }
    if (group === undefined) page.entries.push(entry);
    else page.prefixes.push(group);
    last = group ?? entry.key;
  }
  return page;
}

/** What a key is rolled up to: all until the first delimiter after the prefix, with it. */
function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  const place = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return place === -1 ? undefined : key.slice(0, place + delimiter.length);
}
