import type { Store } from "../storage/store";

interface Task {
  done: Promise<void>;
  abort: AbortController;
}

/**
 * What takes real time and happens beside the requests, such as writing files of exports. It does not outlive the
 * process: whoever starts work keeps in the store that it is to be done, and starts it anew when the emulator starts.
 */
export class Work {
  private readonly tasks = new Map<string | symbol, Task>();
  private ended = false;

  /** `onDone` is called after each task, which may have changed the jobs. */
  constructor(
    private readonly store: Store,
    private readonly onDone: () => void,
  ) {}

  /** Starts a task once what is being written to the store is sure to stay. One that runs under the name goes on instead. */
  start(name: string, task: (signal: AbortSignal) => Promise<void>): void {
    this.store.afterCommit(() => {
      if (this.ended || this.tasks.has(name)) return;
      const abort = new AbortController();
      this.tasks.set(name, { abort, done: this.perform(name, task, abort.signal) });
    });
  }

  /** Does something for a request that takes its time: whoever waits for work waits for it too, or gives it up. */
  attend<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const [name, abort] = [Symbol(), new AbortController()];
    const result = task(abort.signal);
    const forget = () => void this.tasks.delete(name);
    this.tasks.set(name, { abort, done: result.then(forget, forget) });
    return result;
  }

  /** Tells a task to give up; it ends in its own time. */
  abort(name: string): void {
    this.store.afterCommit(() => this.tasks.get(name)?.abort.abort());
  }

  /** Kept once nothing is under way any more, nor anything that came of it. */
  async settled(): Promise<void> {
    while (this.tasks.size > 0) await Promise.all([...this.tasks.values()].map(({ done }) => done));
  }

  /** Gives up everything, and is kept once it has ended. */
  async abortAll(): Promise<void> {
    while (this.tasks.size > 0) {
      for (const { abort } of this.tasks.values()) abort.abort();
      await Promise.all([...this.tasks.values()].map(({ done }) => done));
    }
  }

  /** The same for good: nothing starts any more. */
  async stop(): Promise<void> {
    this.ended = true;
    await this.abortAll();
  }

  private async perform(name: string, task: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
    // Not in the middle of what the starter is doing.
    await Promise.resolve();
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) console.error(error);
    } finally {
      this.tasks.delete(name);
    }
    if (!this.ended) this.onDone();
  }
}
