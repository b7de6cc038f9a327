/** Reads what a log has gained since it was last read. */
import type { LogLine, Logs } from "../../../api/control-plane/revisions";

export class LogReader {
  private offset: string | undefined;
  private readonly knownLines = new Set<string>();
  private lastPage: "unread" | "full" | "end" = "unread";

  /** @param readPage Reads a page, oldest line first. Without an offset, reads the first one. */
  constructor(private readonly readPage: (offset: string | undefined) => Promise<Logs>) {}

  /** Whether all lines that the log had were read. */
  get isAtEnd(): boolean {
    return this.lastPage === "end";
  }

  /** Whether the log has lines that were not read. */
  get hasMore(): boolean {
    return this.lastPage === "full";
  }

  /**
   * Returns the new lines of one page. The end of a log has no cursor (API `2A.LogPage`), so its last page is read again
   * until there is a next one.
   */
  async readNew(): Promise<LogLine[]> {
    const { logs, nextOffset } = await this.readPage(this.offset);
    const page = this.offset ?? "";
    const lines = (logs ?? []).filter((line, index) => this.isNew(line.id || `${page} ${index}`));
    this.lastPage = !nextOffset || nextOffset === this.offset ? "end" : "full";
    if (nextOffset) this.offset = nextOffset;
    return lines;
  }

  private isNew(key: string): boolean {
    const isNew = !this.knownLines.has(key);
    this.knownLines.add(key);
    return isNew;
  }
}
