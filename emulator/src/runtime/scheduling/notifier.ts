/** Tells those who follow a run that it moved. What it did stands in the store. */
export class Signals {
  /** The emulator is about to stop. */
  closed = false;
  private readonly waiting = new Map<string, Set<() => void>>();

  raise(subject: string): void {
    const waiting = this.waiting.get(subject);
    this.waiting.delete(subject);
    for (const wake of waiting ?? []) wake();
  }

  raiseAll(): void {
    for (const subject of [...this.waiting.keys()]) this.raise(subject);
  }

  /** Kept with the next signal about the subject, or once `end` says so. */
  next(subject: string, end: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (end.aborted) return resolve();
      const waiting = this.waiting.get(subject) ?? new Set();
      const wake = () => {
        waiting.delete(wake);
        end.removeEventListener("abort", wake);
        resolve();
      };
      this.waiting.set(subject, waiting.add(wake));
      end.addEventListener("abort", wake);
    });
  }
}
