/** Shares the pages of one list among many readers: each page is requested once, when the first reader needs it. */
import { PAGE_SIZE, type Pages } from "../pagination";

export interface SharedPagesOptions<T> {
  list: Pages<T>;
  /** The number of pages that are prefetched, as long as they are full. */
  prefetchCount: number;
  /** Called when a page could not be read; the list ends there. */
  onFailure: () => void;
}

export class SharedPages<T> {
  private readonly pages: Promise<IteratorResult<readonly T[], boolean>>[] = [];

  constructor(private readonly options: SharedPagesOptions<T>) {}

  /** Returns a page by its index, requested in order; after the last page, whether the server confirmed the end. */
  get(index: number): Promise<IteratorResult<readonly T[], boolean>> {
    this.pages[index] ??= this.request(index);
    return this.pages[index];
  }

  /** Returns the pages that any reader requested. */
  requested(): readonly Promise<IteratorResult<readonly T[], boolean>>[] {
    return this.pages;
  }

  private request(index: number): Promise<IteratorResult<readonly T[], boolean>> {
    const { list, prefetchCount, onFailure } = this.options;
    const page = list.next();
    // Prefetch the next page; a reader that finds its item in this one does not wait for it.
    page.then(({ done, value }) => {
      if (!done && value.length === PAGE_SIZE && index + 1 < prefetchCount) void this.get(index + 1);
    }, onFailure);
    return page;
  }
}
