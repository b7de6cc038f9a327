/** Lists that come in pages. */
import type { Page } from "../api/reader";

/** Largest page of a list of the control plane (interface section 8). */
export const PAGE = 100;

/** Page after page, until the last or, from a service that ignores the offset, until the first comes again. */
export async function* pagesOf<T extends { id?: unknown }>(
  read: (offset: number) => Promise<Page<T>>,
): AsyncGenerator<T[], void> {
  let first: unknown;
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { items, next } = await read(offset);
    if (offset > 0 && items.length > 0 && items[0]?.id === first) return;
    first = items[0]?.id;
    yield items;
    offset = next;
  }
}

/** All of them. What moved to a later page while they were read counts once. */
export async function allOf<T extends { id?: unknown }>(read: (offset: number) => Promise<Page<T>>): Promise<T[]> {
  const found = new Map<unknown, T>();
  for await (const page of pagesOf(read)) for (const item of page) found.set(item.id ?? item, item);
  return [...found.values()];
}
