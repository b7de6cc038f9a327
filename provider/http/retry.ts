/** When a failed request may be sent again, as a value. */
import type { HttpError } from "./errors";

export interface RetryPolicy {
  /** Attempts in all. */
  attempts: number;
  /** Milliseconds before the second attempt; doubled each time. */
  firstDelayMs: number;
  /** The longest that all delays together may take, in milliseconds. */
  totalDelayMs: number;
}

/** What a request says about whether it may be sent twice. */
export interface RetryableRequest {
  method: string;
  /** Whether it changes nothing although it is a POST. */
  isRead?: boolean;
}

export const defaultRetry: RetryPolicy = { attempts: 6, firstDelayMs: 250, totalDelayMs: 90_000 };

/** For callers that look again by themselves. */
export const noRetry: RetryPolicy = { attempts: 1, firstDelayMs: 0, totalDelayMs: 0 };

const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** A POST or PATCH that changes something is repeated only when the server surely did not act: never reached, or 429. */
export function canRetry({ method, isRead = false }: RetryableRequest, error: HttpError): boolean {
  if (isRead || IDEMPOTENT.has(method)) return error.isRetryable;
  return error.notSent || error.isRateLimited;
}

/** Milliseconds until the next attempt, or undefined to give up. */
export function delayBefore(
  policy: RetryPolicy,
  attempt: number,
  elapsedDelayMs: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const backoff = policy.firstDelayMs * 2 ** (attempt - 1) * (0.5 + random);
  const delay = retryAfter === undefined ? backoff : Math.max(retryAfter, backoff);
  return elapsedDelayMs + delay > policy.totalDelayMs ? undefined : delay;
}

/** Retry-After in both its forms, as milliseconds from now; undefined for what is neither seconds nor a date. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const delay = /^[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
