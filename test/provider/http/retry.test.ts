import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import { HttpError } from "../../../provider/http/errors";
import { canRetry, defaultRetry, delayBefore, parseRetryAfter } from "../../../provider/http/retry";

const errorWithStatus = (status: number) => new HttpError({ method: "POST", path: "/x", status, detail: "" });
const unanswered = (code: string) => new HttpError({ method: "POST", path: "/x", code, detail: "" });

describe("A request", () => {
  it.each(["POST", "PATCH"])("with method %s is retried only when the server has not applied it", (method) => {
    const repeated = [429]
      .map(errorWithStatus)
      .concat(["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"].map(unanswered));
    const final = [400, 404, 408, 409, 422, 500, 502, 503, 504]
      .map(errorWithStatus)
      .concat(["ECONNRESET", "UND_ERR_SOCKET", "ETIMEDOUT", "EPIPE"].map(unanswered));
    expect(repeated.filter((error) => !canRetry({ method }, error))).toEqual([]);
    expect(final.filter((error) => canRetry({ method }, error))).toEqual([]);
  });

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
  it("doubles each time, with jitter of half of it", () => {
    const between = (attempt: number) =>
      [0, 0.5, 1].map((random) =>
        delayBefore(defaultRetry, { attempt, elapsedDelayMs: 0, retryAfter: undefined }, random),
      );
    expect(between(1)).toEqual([125, 250, 375]);
    expect(between(2)).toEqual([250, 500, 750]);
    expect(between(5)).toEqual([2000, 4000, 6000]);
  });

  it("is never shorter than Retry-After", () => {
    forAll(
      fc.nat(80_000),
      fc.integer({ min: 1, max: 5 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (retryAfterMs, attempt, random) => {
        expect(
          delayBefore(defaultRetry, { attempt, elapsedDelayMs: 0, retryAfter: retryAfterMs }, random),
        ).toBeGreaterThanOrEqual(retryAfterMs);
      },
    );
  });

  it("keeps the sum of all delays below the total, whatever Retry-After says", () => {
    forAll(fc.array(fc.option(fc.nat(200_000), { nil: undefined }), { maxLength: 10 }), (retryAfterMs) => {
      let spent = 0;
      for (const [index, retryAfter] of retryAfterMs.entries()) {
        const delay = delayBefore(defaultRetry, { attempt: index + 1, elapsedDelayMs: spent, retryAfter }, 0.5);
        if (delay === undefined) break;
        spent += delay;
      }
      expect(spent).toBeLessThanOrEqual(defaultRetry.totalDelayMs);
    });
  });

  it("is undefined after the last attempt", () => {
    const last = { attempt: defaultRetry.attempts, elapsedDelayMs: 0, retryAfter: undefined };
    expect(delayBefore(defaultRetry, last, 0)).toBeUndefined();
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-01T00:00:00Z");
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["0.5", 500],
    ["1.25", 1250],
    [" 7 ", 7000],
    ["7 Sun, 01 Mar 2026 00:01:00 GMT", undefined],
    ["-3", undefined],
    ["1e308", undefined],
    ["Infinity", undefined],
    ["", undefined],
    ["Sun, 01 Mar 2026 00:01:00 GMT", 60_000],
    ["Sat, 28 Feb 2026 23:00:00 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("%p is parsed as %p milliseconds", (header, delay) => {
    expect(parseRetryAfter(header, now)).toBe(delay);
  });
});
