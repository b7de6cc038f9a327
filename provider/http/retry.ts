/** When a failed request may be sent again, as a value. */
import type { RequestError } from "./errors";

export interface RetryPolicy {
  /** Attempts in all. */
  attempts: number;
  /** Milliseconds before the second attempt; doubled each time. */
  firstDelay: number;
  /** The longest that all delays together may take, in milliseconds. */
  total: number;
}

/** What a request says about whether it may be sent twice. */
export interface Repeatable {
  method: string;
  /** Whether it changes nothing although it is a POST. */
  isRead?: boolean;
}

export const defaultRetry: RetryPolicy = { attempts: 6, firstDelay: 250, total: 90_000 };

/** For callers that look again by themselves. */
export const oneAttempt: RetryPolicy = { attempts: 1, firstDelay: 0, total: 0 };

const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** A POST or PATCH that changes something is repeated only when the server surely did not act: never reached, or 429. */
export function mayRepeat({ method, isRead = false }: Repeatable, error: RequestError): boolean {
  if (isRead || IDEMPOTENT.has(method)) return error.isTransient;
  return error.surelyNotSent || error.isThrottled;
}

/** Milliseconds until the next attempt, or undefined to give up. */
export function delayBefore(
  policy: RetryPolicy,
  attempt: number,
  spent: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const backoff = policy.firstDelay * 2 ** (attempt - 1) * (0.5 + random);
  const delay = retryAfter === undefined ? backoff : Math.max(retryAfter, backoff);
  return spent + delay > policy.total ? undefined : delay;
}

/** Retry-After in both its forms, as milliseconds from now; undefined for what is neither seconds nor a date. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const delay = /^[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
