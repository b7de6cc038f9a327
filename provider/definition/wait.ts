/** waitUntil: look, judge, sleep, give up with a reason. */
import type { Clock } from "../http/clock";
import { HttpError } from "../http/errors";
import { UserError } from "../text/user-error";

/** What one look showed: it is over, or the word that says how far it is. */
export type PollResult<T> =
  | { done: T }
  | {
      pending: string;
      /** Milliseconds until another look can tell more; the usual interval when absent. */
      retryAfterMs?: number | undefined;
    };

export interface WaitOptions<T> {
  /** What is waited for, as the error says it: `revision r of deployment d to be DEPLOYED`. */
  what: string;
  /** One look at the server, judged. A thrown error ends the wait, unless it is one of the network or the server. */
  poll: () => Promise<PollResult<T>>;
  /** What becomes of it when the user leaves, for the row of a long wait; that a rollout goes on when absent. */
  onInterruptHint?: string;
}

export type Wait = <T>(wait: WaitOptions<T>) => Promise<T>;

/** The deadline passed. */
export class WaitTimeoutError extends UserError {
  constructor(
    readonly what: string,
    readonly lastStatus: string,
    readonly waitedMs: number,
  ) {
    super(`Gave up after ${formatDuration(waitedMs)} waiting for ${what}; the last status was ${lastStatus}.`);
    this.name = "WaitTimeout";
  }
}

export interface WaitEnvironment {
  clock: Clock;
  /** When to give up, by the clock. */
  deadline: number;
  progress: (text: string) => void;
  random?: () => number;
}

/** Responses in a row that make no sense, before a wait ends. */
const MAX_UNEXPECTED = 5;

/** The shortest time between two looks. Milliseconds. */
const MIN_INTERVAL_MS = 500;

/** After a minute the user may want to leave: this is what happens then (engine facts: an interrupted create is resumed). */
const ROLLOUT_CONTINUES = "the rollout goes on by itself, and the next `pulumi up` resumes";

/**
 * Looks at once, then in intervals of a tenth of the time waited, at least 0.5 s and at most 10 s. A Retry-After is
 * obeyed below, where the request is made.
 */
export function createWait({ clock, deadline, progress, random = Math.random }: WaitEnvironment): Wait {
  return async ({ what, poll, onInterruptHint = ROLLOUT_CONTINUES }) => {
    const start = clock.monotonic();
    let status = "not seen yet";
    let lastLine = "";
    let unexpectedCount = 0;
    for (;;) {
      const result = await pollOnce(poll, unexpectedCount);
      unexpectedCount = "isUnexpected" in result ? unexpectedCount + 1 : 0;
      if ("done" in result) return result.done;
      status = result.pending || status;
      const waited = clock.monotonic() - start;
      if (clock.monotonic() >= deadline) throw new WaitTimeoutError(what, status, waited);
      const line = `${status}, ${formatDuration(waited)}${waited >= 60_000 ? ` (Ctrl-C twice leaves: ${onInterruptHint})` : ""}`;
      if (line !== lastLine) progress(line);
      lastLine = line;
      const { retryAfterMs } = result;
      const pause = retryAfterMs === undefined ? interval(waited, random()) : Math.max(retryAfterMs, MIN_INTERVAL_MS);
      await clock.sleep(Math.min(pause, Math.max(deadline - clock.monotonic(), 1)));
    }
  };
}

/**
 * One failing look does not end a wait: the server may be restarting, and the deadline bounds it. Neither does a page that
 * a proxy answers with a good status, unless it comes again and again.
 */
async function pollOnce<T>(
  poll: () => Promise<PollResult<T>>,
  unexpectedCount: number,
): Promise<PollResult<T> | { pending: string; retryAfterMs?: number; isUnexpected: true }> {
  try {
    return await poll();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isRetryable) return { pending: `no response (${error.shortCode})` };
    if (!error.isUnexpected || unexpectedCount >= MAX_UNEXPECTED) throw error;
    return { pending: `unexpected response (${error.shortCode})`, isUnexpected: true };
  }
}

/** Milliseconds until the next look: at most a fifth less or more, so that many waits do not look in step. */
function interval(waited: number, random: number): number {
  return Math.min(Math.max(waited / 10, MIN_INTERVAL_MS), 10_000) * (0.8 + 0.2 * random);
}

export function formatDuration(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  return total < 120 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}
