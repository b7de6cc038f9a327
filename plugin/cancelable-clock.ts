/**
 * A clock whose pauses end when the user cancels the run. Requests that were sent are awaited, so that no response is
 * lost: all but probes.
 */
import { CanceledError, type Clock } from "../provider/http/clock";

export class CancelableClock implements Clock {
  private readonly controller = new AbortController();
  readonly canceled: AbortSignal = this.controller.signal;
  /** Ends each pause that has begun. */
  private readonly pauses = new Set<(error: CanceledError) => void>();

  constructor(private readonly clock: Clock) {}

  /** Ends the pauses of now and later with a CanceledError. */
  cancel(): void {
    this.controller.abort();
    for (const end of this.pauses) end(new CanceledError());
  }

  now(): number {
    return this.clock.now();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  sleep(milliseconds: number): Promise<void> {
    if (this.canceled.aborted) return Promise.reject(new CanceledError());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Not a race with one promise of the run: it would keep a reaction for every pause.
    this.pauses.add(reject);
    this.clock.sleep(milliseconds).then(resolve, reject);
    return promise.finally(() => this.pauses.delete(reject));
  }

  deadline(milliseconds: number): AbortSignal {
    return this.clock.deadline(milliseconds);
  }
}
