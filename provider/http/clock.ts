import { setTimeout } from "node:timers/promises";
import { UserError } from "../text/user-error";

/** The source of time. It is passed in, so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump in both directions; used for the age of remote objects. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Never jumps; used for all waits and timeouts. */
  monotonic(): number;
  /** @throws CanceledError when the user cancels the run and the host reports it. */
  sleep(milliseconds: number): Promise<void>;
  /** Aborts when the user presses Ctrl-C once, where `sleep` ends then. Default: the engine waits for the operation. */
  readonly canceled?: AbortSignal;
  /** Returns a signal that aborts with a TimeoutError after the given time. */
  deadline(milliseconds: number): AbortSignal;
}

/** The user canceled the run. What the server does continues. */
export class CanceledError extends UserError {
  override name = "CanceledError";
  constructor(message = "Canceled. No further request was sent. Run `pulumi up` again to continue.") {
    super(message);
  }
}

export const realClock: Clock = {
  now: Date.now,
  monotonic: performance.now.bind(performance),
  sleep: setTimeout,
  deadline: AbortSignal.timeout,
};
