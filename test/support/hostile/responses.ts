/** Responses whose status or headers no correct server sends. */
import fc from "fast-check";
import type { Exchange } from "./recording";

const STATUSES = [
  ...[200, 201, 202, 203, 204, 205, 206, 208, 218, 226, 299, 300, 301, 302, 303, 304, 307, 308, 399],
  ...[
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 418, 421, 422, 423, 424, 425, 426, 428,
    429,
  ],
  ...[431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599, 600, 999],
];

const NUMBERS = ["", "0", "-1", "1e999", "99999999999999999999", "NaN", "x", "1, 2"];
const HEADERS: Record<string, readonly string[]> = {
  "content-type": [
    ...["", "text/html", "application/json; charset=utf-16", "application/problem+json", "x", "a/b".repeat(2000)],
  ],
  "content-encoding": ["gzip", "br", "x", "identity"],
  "retry-after": [...NUMBERS, "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "2026-13-45"],
  location: ["", "/", "//", "http://", "https://other.example/", "file:///etc/passwd", "javascript:1", "\u00ff"],
  "content-location": ["", "/", "http://", "\u00ff", "/threads/../x"],
  date: ["", "x", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"],
  allow: ["", "GET", "x".repeat(5000), "get, post,, \u00ff"],
  "www-authenticate": ["", "Basic", "\u00ff"],
  "x-pagination-total": NUMBERS,
  "set-cookie": ["a=b; Path=/"],
  "x-long": ["x".repeat(10_000)],
};

/** A status, headers, or both; an undefined status is the recorded one. */
export interface HostileResponse {
  status: number | undefined;
  headers: Record<string, string>;
}

const oneHeader = fc.constantFrom(
  ...Object.entries(HEADERS).flatMap(([name, values]) => values.map((value) => [name, value])),
);
const someHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(oneHeader, { minLength: 1, maxLength: 4 })
  .map((headers) => Object.fromEntries(headers));

export const hostileResponse: fc.Arbitrary<HostileResponse> = fc.record({
  status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined, freq: 3 }),
  headers: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Record<string, string>>({}) },
    { weight: 2, arbitrary: someHeaders },
  ),
});

export const withResponse = (exchange: Exchange, { status = exchange.status, headers }: HostileResponse): Exchange => ({
  ...exchange,
  status,
  headers: { ...exchange.headers, ...headers },
});
