/** Polls until a condition is met or the deadline passes. */
import { CanceledError, type Clock } from "../http/clock";
import { HttpError, recoverFrom } from "../http/errors";
import { NO_TRACE, type Trace } from "../telemetry/trace";
import { formatDuration } from "../text/format";
import { UserError } from "../text/user-error";

/** The result of one poll: finished with a value, or pending with a status. */
export type PollResult<T> =
  | { done: T }
  | {
      pending: string;
      /** Milliseconds until the next poll. Default: the usual interval. */
      retryAfterMs?: number | undefined;
      /** Whether one request can serve the polls of many waits, which then happen at the same times. Default: no. */
      isShared?: boolean | undefined;
      /** Whether the poll itself has shown what is new, so that the row keeps it until the next poll. Default: no. */
      isShown?: boolean | undefined;
    };

export interface WaitOptions<T> {
  /** What is awaited, as the error words it: `revision r of deployment d to be DEPLOYED`. */
  what: string;
  /** Polls the server once. A thrown error ends the wait, unless it is retryable. */
  poll: () => Promise<PollResult<T>>;
  /** The kind of wait, for traces, such as `rollout`. */
  kind: string;
  /** What happens when the user interrupts a long wait. Default: the rollout continues. */
  onInterruptHint?: string;
  /** What to do when the wait has reached its timeout. */
  onTimeoutHint?: string;
}

export interface Wait {
  <T>(wait: WaitOptions<T>): Promise<T>;
  /** Returns a wait with a fresh timeout, for a rollback after a timeout. @param label Prefix of its status lines. */
  restart(label: string): Wait;
}

export class WaitTimeoutError extends UserError {
  constructor(
    readonly what: string,
    readonly lastStatus: string,
    readonly waitedMs: number,
    advice?: string,
  ) {
    super(`Gave up after ${formatDuration(waitedMs)} waiting for ${what}. Last status: ${lastStatus}.`);
    if (advice !== undefined) this.message += `\n${advice}`;
    this.name = "WaitTimeout";
  }
}

export interface WaitEnvironment {
  clock: Clock;
  /** When to give up, by the monotonic clock. */
  deadline: number;
  progress: (text: string) => void;
  random?: () => number;
  /** Default: nothing is recorded. */
  trace?: Pick<Trace, "span" | "event">;
}

/** How long a response may be outdated: a replica of the server may not know a change yet (API `10A.revision`). */
export const MAX_OUTDATED_MS = 60_000;

/** Reads again while a first response is not as expected, for a minute: it may be outdated. Returns the last one. */
export async function readUntil<T>(
  first: T,
  isExpected: (current: T) => boolean,
  { read, ...wait }: Pick<WaitOptions<T>, "what" | "kind"> & { read: () => Promise<T> },
  { clock, waitUntil }: { clock: Clock; waitUntil: Wait },
): Promise<T> {
  if (isExpected(first)) return first;
  const giveUpAt = clock.monotonic() + MAX_OUTDATED_MS;
  let current = first;
  const poll = async (): Promise<PollResult<T>> => {
    current = await read();
    const isOver = isExpected(current) || clock.monotonic() >= giveUpAt;
    return isOver ? { done: current } : { pending: "the response may be outdated" };
  };
  return waitUntil({ ...wait, poll }).catch(recoverFrom(WaitTimeoutError, () => current));
}

/** Unusable responses in a row that a wait tolerates. */
const MAX_UNEXPECTED = 5;

const MIN_INTERVAL_MS = 500;

/** For a wait until the server has ended an object. */
export const NOT_ENDED_HINT =
  "It stays in state. Run the command again; if that fails as well, ask the operators of the server. To remove it " +
  "from state only, run:  pulumi state delete <URN>";

/** Shown after a minute, when the user may want to stop waiting. */
const ROLLOUT_CONTINUES = "the rollout continues, and the next `pulumi up` resumes waiting";

/**
 * Returns a wait that polls at once, then in intervals of a tenth of the elapsed time, between 0.5 s and 10 s; polls
 * that share requests happen at common times. The HTTP client respects Retry-After.
 */
export function createWait(environment: WaitEnvironment): Wait {
  const { clock, deadline, progress, random = Math.random, trace = NO_TRACE } = environment;
  const timeoutMs = deadline - clock.monotonic();
  const pollUntilDone = async <T>(options: WaitOptions<T>): Promise<T> => {
    const { what, poll, onInterruptHint = ROLLOUT_CONTINUES, onTimeoutHint } = options;
    const start = clock.monotonic();
    let status = "not seen yet";
    let lastLine = "";
    let unexpectedCount = 0;
    for (;;) {
      const result = await pollOnce(poll, unexpectedCount);
      unexpectedCount = "isUnexpected" in result ? unexpectedCount + 1 : 0;
      if ("done" in result) return result.done;
      if (result.pending && result.pending !== status) trace.event(result.pending);
      status = result.pending || status;
      const waited = clock.monotonic() - start;
      if (clock.monotonic() >= deadline) throw new WaitTimeoutError(what, status, waited, onTimeoutHint);
      const keys = clock.canceled ? "Ctrl-C" : "Ctrl-C twice";
      const hint = waited >= 60_000 ? ` (press ${keys} to stop waiting: ${onInterruptHint})` : "";
      const line = `${status}, ${formatDuration(waited)}${hint}`;
      if (line !== lastLine && !result.isShown) progress(line);
      lastLine = line;
      const { retryAfterMs, isShared } = result;
      const usual = isShared ? untilCommonTime(waited, clock.monotonic()) : interval(waited, random());
      const pause = retryAfterMs === undefined ? usual : Math.max(retryAfterMs, MIN_INTERVAL_MS);
      await clock.sleep(Math.min(pause, Math.max(deadline - clock.monotonic(), 1))).catch((error: unknown) => {
        if (!(error instanceof CanceledError)) throw error;
        throw new CanceledError(
          `Canceled after ${formatDuration(waited)} of waiting for ${what}. Last status: ${status}; ` +
            `${onInterruptHint}.`,
        );
      });
    }
  };
  const wait = <T>(options: WaitOptions<T>): Promise<T> =>
    trace.span({ name: `wait for ${options.kind}`, attributes: { "agentgraph.wait": options.what } }, () =>
      pollUntilDone(options),
    );
  const restart = (label: string) =>
    createWait({ ...environment, deadline: clock.monotonic() + timeoutMs, progress: (text) => progress(label + text) });
  return Object.assign(wait, { restart });
}

/** A retryable failure (a restart) does not end the wait; an unusable response (a proxy's page) only if it repeats. */
async function pollOnce<T>(
  poll: () => Promise<PollResult<T>>,
  unexpectedCount: number,
): Promise<PollResult<T> & { isUnexpected?: true }> {
  try {
    return await poll();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isRetryable) return { pending: `no response ${error.source}` };
    if (!error.isUnexpected || unexpectedCount >= MAX_UNEXPECTED) throw error;
    return { pending: `unexpected response ${error.source}`, isUnexpected: true };
  }
}

/** Returns the interval in milliseconds, reduced by up to a fifth at random, so that many waits do not poll in step. */
function interval(waited: number, random: number): number {
  return Math.min(Math.max(waited / 10, MIN_INTERVAL_MS), 10_000) * (0.8 + 0.2 * random);
}

/**
 * Returns the milliseconds until the next time at which all waits poll that share their requests: every half second,
 * and half as often each time a wait has lasted twice as long. The longer intervals are multiples of the shorter ones.
 */
function untilCommonTime(waited: number, now: number): number {
  const longest = Math.min(Math.max(waited / 10, MIN_INTERVAL_MS), 10_000);
  const period = MIN_INTERVAL_MS * 2 ** Math.floor(Math.log2(longest / MIN_INTERVAL_MS));
  const delay = period - (now % period);
  return delay < MIN_INTERVAL_MS / 2 ? delay + period : delay;
}
