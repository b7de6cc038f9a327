/** Lines that are written in the order in which they come; those that come during a write are one write. */

export class LineQueue {
  private waiting: { lines: string[]; written: Promise<void> } | undefined;
  private last: Promise<void> = Promise.resolve();

  /** @param write Writes text, and makes it safe. After a failure nothing more is written. */
  constructor(private readonly write: (text: string) => Promise<void>) {}

  append(line: string): Promise<void> {
    if (this.waiting) {
      this.waiting.lines.push(line);
      return this.waiting.written;
    }
    const lines = [line];
    const written = this.last.then(() => {
      this.waiting = undefined;
      return this.write(lines.map((one) => `${one}\n`).join(""));
    });
    this.waiting = { lines, written };
    this.last = written;
    // Whoever appended a line learns of it.
    written.catch(() => undefined);
    return written;
  }

  /** Returns once everything is written, or nothing more will be. */
  async end(): Promise<void> {
    await this.last.catch(() => undefined);
  }
}

export const wholeLines = (text: string): string[] => text.split("\n").slice(0, -1);
