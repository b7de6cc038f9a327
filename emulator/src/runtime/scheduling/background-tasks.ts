import type { Store } from "../storage/store";
import { logError } from "../text/printable";

interface Task {
  promise: Promise<void>;
  abort: AbortController;
}

/**
 * Tasks that take real time and run beside requests, such as writing export files. They do not survive the process: the
 * code that starts a task also stores that it is pending, and starts it again on the next start.
 */
export class BackgroundTasks {
  private readonly tasks = new Map<string | symbol, Task>();
  private stopped = false;

  /** `onDone` is called after each task, because a task may schedule jobs. */
  constructor(
    private readonly store: Store,
    private readonly onDone: () => void,
  ) {}

  /** Starts a task after the current transaction commits. Does nothing if a task of this name is still running. */
  start(name: string, task: (signal: AbortSignal) => Promise<void>): void {
    this.store.afterCommit(() => {
      if (this.stopped || this.tasks.has(name)) return;
      const abort = new AbortController();
      this.tasks.set(name, { abort, promise: this.run(name, task, abort.signal) });
    });
  }

  /** Tracks work on behalf of a request, so that `settled` waits for it and `abortAll` cancels it. */
  track<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const [name, abort] = [Symbol(), new AbortController()];
    const result = task(abort.signal);
    const untrack = () => void this.tasks.delete(name);
    this.tasks.set(name, { abort, promise: result.then(untrack, untrack) });
    return result;
  }

  /** Signals a task to stop. Does not wait for it. */
  abort(name: string): void {
    this.store.afterCommit(() => this.tasks.get(name)?.abort.abort());
  }

  /** Resolves once no task is running, including tasks started meanwhile. */
  async whenIdle(): Promise<void> {
    while (this.tasks.size > 0) await Promise.all([...this.tasks.values()].map(({ promise }) => promise));
  }

  /** Aborts all tasks and waits until they ended. */
  async abortAll(): Promise<void> {
    while (this.tasks.size > 0) {
      for (const { abort } of this.tasks.values()) abort.abort();
      await Promise.all([...this.tasks.values()].map(({ promise }) => promise));
    }
  }

  /** Aborts all tasks and refuses new ones. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.abortAll();
  }

  private async run(name: string, task: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) {
    // The task must not run inside the caller's call stack.
    await Promise.resolve();
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) logError(error);
    } finally {
      this.tasks.delete(name);
    }
    if (!this.stopped) this.onDone();
  }
}
