const INTERVAL_MS = 1000;

/** Shows a text at most once per second. */
export class EverySecond {
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(
    /** In milliseconds. */
    private readonly now: () => number,
    private readonly write: (text: string) => void,
  ) {}

  show(text: string): void {
    const now = this.now();
    if (now - this.shownAt < INTERVAL_MS) return;
    this.shownAt = now;
    this.write(text);
  }
}
