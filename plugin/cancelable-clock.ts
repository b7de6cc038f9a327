/** A clock whose pauses end when the user cancels the run. Requests that were sent are awaited, so that no response is lost. */
import { CanceledError, type Clock } from "../provider/http/clock";

export class CancelableClock implements Clock {
  readonly isCancelable = true;
  private readonly canceled = Promise.withResolvers<never>();

  constructor(private readonly clock: Clock) {
    this.canceled.promise.catch(() => undefined);
  }

  /** Ends the pauses of now and later with a CanceledError. */
  cancel(): void {
    this.canceled.reject(new CanceledError());
  }

  now(): number {
    return this.clock.now();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  sleep(milliseconds: number): Promise<void> {
    return Promise.race([this.clock.sleep(milliseconds), this.canceled.promise]);
  }

  deadline(milliseconds: number): AbortSignal {
    return this.clock.deadline(milliseconds);
  }
}
