/** Notifies subscribers that a run changed. The change itself is in the store. */
export class Signals {
  /** Whether the emulator is stopping. */
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

  /** Resolves on the next notification about the subject, or when `end` aborts. */
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
