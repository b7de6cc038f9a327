/** Time is passed in: every wait and every age is measured by one of these, so that a test can move it. */
export interface Clock {
  /** Milliseconds since the epoch. It may jump, in both directions: ages of what servers made are measured by it. */
  now(): number;
  /** Milliseconds since some moment. It never jumps: everything that this process waits for is measured by it. */
  monotonic(): number;
  sleep(milliseconds: number): Promise<void>;
  /** A signal that comes after so long, with a TimeoutError: when to give a request up. */
  deadline(milliseconds: number): AbortSignal;
}

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  deadline: (milliseconds) => AbortSignal.timeout(milliseconds),
};
