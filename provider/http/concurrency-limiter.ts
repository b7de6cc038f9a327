/** Limits how many tasks run at once. Others wait here, before their request timeout starts. */
export class ConcurrencyLimiter {
  private readonly waiting: (() => void)[] = [];

  constructor(private available: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.available > 0) this.available -= 1;
    else await new Promise<void>((start) => this.waiting.push(start));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.available += 1;
    }
  }
}
