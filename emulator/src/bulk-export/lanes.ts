/** Lets so many tasks run at a time; the others wait in order. */
export class Lanes {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly width: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    // Whoever is woken takes over the lane of the one that woke it.
    if (this.running < this.width) this.running++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
