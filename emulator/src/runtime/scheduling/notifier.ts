/** Notifies subscribers that a run, or a thread by its runs, changed. The change itself is in the store. */
export class Notifier {
  /** Whether the emulator is stopping. */
  closed = false;
  private readonly subscribers = new Map<string, Set<() => void>>();

  notify(...subjects: string[]): void {
    for (const subject of subjects) {
      const subscribers = this.subscribers.get(subject);
      this.subscribers.delete(subject);
      for (const resume of subscribers ?? []) resume();
    }
  }

  notifyAll(): void {
    this.notify(...this.subscribers.keys());
  }

  /** Resolves on the next notification about the subject, or when `end` aborts. */
  waitFor(subject: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const subscribers = this.subscribers.get(subject) ?? new Set();
      const resume = () => {
        subscribers.delete(resume);
        signal.removeEventListener("abort", resume);
        resolve();
      };
      this.subscribers.set(subject, subscribers.add(resume));
      signal.addEventListener("abort", resume);
    });
  }
}
