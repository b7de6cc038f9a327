/** Decides whether and when a failed request is retried. */
import type { HttpError } from "./errors";

export interface RetryPolicy {
  /** How often a request may fail without a rate limit; the last failure is final. */
  attempts: number;
  /** How often a rate limit may reject it: many requests may have to find the server's rate together. */
  rateLimitedAttempts: number;
  /** The delay after the first failure of a kind; doubles each time. */
  firstDelayMs: number;
  /** The upper bound of all delays after failures of a kind. */
  totalDelayMs: number;
}

export interface RetryableRequest {
  method: string;
  /** Throws on a 429 instead of retrying, for limits that reset in hours rather than seconds. Default: retry. */
  onRateLimit?: "throw";
  /** Throws on a 5xx instead of retrying, for callers that can do without the response. Default: retry. */
  onServerError?: "throw";
  /** How often it is sent at most, for callers that can do without the response. Default: as the retry policy says. */
  maxAttempts?: number | undefined;
  /** How long one attempt may take, where less than the setting is enough, and for a probe. Milliseconds. */
  timeoutMs?: number;
  /** Whether any response is the result, whatever its status and its form. It is sent once. Default: false. */
  isProbe?: boolean;
  /** Whether a POST may be retried like a GET: it has no side effects, or the same ones. Default: false. */
  isRead?: boolean;
}

export const defaultRetry: RetryPolicy = {
  attempts: 6,
  rateLimitedAttempts: 20,
  firstDelayMs: 250,
  totalDelayMs: 90_000,
};

export const noRetry: RetryPolicy = { attempts: 1, rateLimitedAttempts: 1, firstDelayMs: 0, totalDelayMs: 0 };

const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** A POST or PATCH with side effects is retried only when the server did not apply it: not reached, or 429. */
export function canRetry(request: RetryableRequest, error: HttpError): boolean {
  const { method, isRead = false, isProbe, onRateLimit, onServerError } = request;
  if (isProbe) return false;
  if (onRateLimit === "throw" && error.isRateLimited) return false;
  if (onServerError === "throw" && (error.status ?? 0) >= 500) return false;
  if (isRead || IDEMPOTENT.has(method)) return error.isRetryable;
  return error.notSent || error.isRateLimited;
}

/** The attempts and delays of one request, apart for rate limits and for faults of the server. */
export class RetryBudget {
  private readonly spent = { rateLimits: { attempts: 0, delayMs: 0 }, faults: { attempts: 0, delayMs: 0 } };

  constructor(private readonly policy: RetryPolicy) {}

  /**
   * Returns the delay before the next attempt in milliseconds, or undefined to give up.
   * @param retryAfter The server's Retry-After, in milliseconds. @param random From 0 to 1.
   */
  next({ isRateLimited }: HttpError, retryAfter: number | undefined, random = Math.random()): number | undefined {
    const { attempts, rateLimitedAttempts, firstDelayMs, totalDelayMs } = this.policy;
    const spent = isRateLimited ? this.spent.rateLimits : this.spent.faults;
    spent.attempts += 1;
    if (spent.attempts >= (isRateLimited ? rateLimitedAttempts : attempts)) return undefined;
    const delay = Math.max(retryAfter ?? 0, firstDelayMs * 2 ** (spent.attempts - 1) * (0.5 + random));
    spent.delayMs += delay;
    return spent.delayMs > totalDelayMs ? undefined : delay;
  }
}

/** Parses Retry-After, given in seconds or as a date, to milliseconds from now; undefined for anything else. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const delay = /^[a-z]/i.test(text) ? Date.parse(text) - now : Number.NaN;
  return Number.isNaN(delay) ? undefined : Math.max(0, delay);
}
