/** The source of time. It is passed in, so that tests control it. */
export interface Clock {
  /** Milliseconds since the epoch. May jump in both directions; used for the age of remote objects. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Never jumps; used for all waits and timeouts. */
  monotonic(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Returns a signal that aborts with a TimeoutError after the given time. */
  deadline(milliseconds: number): AbortSignal;
}

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
};
