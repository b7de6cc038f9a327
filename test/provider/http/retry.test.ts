import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import { HttpError } from "../../../provider/http/errors";
import { canRetry, defaultRetry, parseRetryAfter, RetryBudget } from "../../../provider/http/retry";

const errorWithStatus = (status: number) => new HttpError({ method: "POST", path: "/x", status, detail: "" });
const unanswered = (code: string) => new HttpError({ method: "POST", path: "/x", code, detail: "" });

describe("A request", () => {
  it.each([...["GET", "PUT", "DELETE"].map((method) => ({ method })), { method: "POST", isRead: true }])(
    "without other effects (%j) is retried whenever another attempt may help",
    (request) => {
      const repeated = [408, 429, 500, 502, 503, 504].map(errorWithStatus);
      const unsettled = [...repeated, ...["ECONNRESET", "ETIMEDOUT"].map(unanswered)];
      expect(unsettled.filter((error) => !canRetry(request, error))).toEqual([]);
      const final = [400, 401, 403, 404, 409, 422].map(errorWithStatus);
      expect(final.filter((error) => canRetry(request, error))).toEqual([]);
    },
  );
});

describe("The delay before the next attempt", () => {
  /** The delay after the given failure of a request, counted from 1. */
  function delayAfter(failure: number, random: number, retryAfter?: number): number | undefined {
    const budget = new RetryBudget(defaultRetry);
    for (let earlier = 1; earlier < failure; earlier++) budget.next(errorWithStatus(503), undefined, random);
    return budget.next(errorWithStatus(503), retryAfter, random);
  }

  it("doubles each time, with jitter of half of it", () => {
    const between = (failure: number) => [0, 0.5, 1].map((random) => delayAfter(failure, random));
    expect(between(1)).toEqual([125, 250, 375]);
    expect(between(2)).toEqual([250, 500, 750]);
    expect(between(5)).toEqual([2000, 4000, 6000]);
  });

  it("is never shorter than Retry-After", () => {
    const random = fc.double({ min: 0, max: 1, noNaN: true });
    forAll(fc.nat(80_000), fc.integer({ min: 1, max: 5 }), random, (retryAfterMs, failure, at) => {
      expect(delayAfter(failure, at, retryAfterMs)).toBeGreaterThanOrEqual(retryAfterMs);
    });
  });
});

const now = Date.parse("2026-03-01T00:00:00Z");
it.each([
  ["120", 120_000],
  ["0", 0],
  ["1.25", 1250],
  [" 7 ", 7000],
  ["7 Sun, 01 Mar 2026 00:01:00 GMT", undefined],
  ["-3", undefined],
  ["1e308", undefined],
  ["", undefined],
  ["Sun, 01 Mar 2026 00:01:00 GMT", 60_000],
  ["Sat, 28 Feb 2026 23:00:00 GMT", 0],
  ["soon", undefined],
  [undefined, undefined],
])("Retry-After %p is parsed as %p milliseconds", (header, delay) => {
  expect(parseRetryAfter(header, now)).toBe(delay);
});
