/** The pages of one list for many readers: each page is requested once, when the first reader needs it. */
import { PAGE_SIZE, type Pages } from "./pagination";

export interface SharedPagesOptions<T> {
  list: Pages<T>;
  /** So many pages are requested ahead of their readers, as long as they are full. */
  ahead: number;
  /** Called when a page could not be read; these pages end there. */
  onFailure: () => void;
}

export class SharedPages<T> {
  private readonly pages: Promise<IteratorResult<readonly T[], boolean>>[] = [];

  constructor(private readonly options: SharedPagesOptions<T>) {}

  /** A page by its number from 0, asked for in order; after the last whether the server said that it was. */
  get(index: number): Promise<IteratorResult<readonly T[], boolean>> {
    this.pages[index] ??= this.request(index);
    return this.pages[index];
  }

  /** The pages that were asked for, also by others. */
  requested(): readonly Promise<IteratorResult<readonly T[], boolean>>[] {
    return this.pages;
  }

  private request(index: number): Promise<IteratorResult<readonly T[], boolean>> {
    const { list, ahead, onFailure } = this.options;
    const page = list.next();
    // The next page is on its way while this one is read: who finds an item here need not wait for it.
    page.then(({ done, value }) => {
      if (!done && value.length === PAGE_SIZE && index + 1 < ahead) void this.get(index + 1);
    }, onFailure);
    return page;
  }
}
