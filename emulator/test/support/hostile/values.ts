/** Values that no client sends: of another type, at the limits of a type, very long or very deep. */
import fc from "fast-check";

/** The text of a JSON value that JSON.stringify would not write. */
class RawJson {
  constructor(readonly text: string) {}
}

/** Numbers that no column, timer or date can hold. */
export const EXTREME_NUMBERS: readonly unknown[] = ["9223372036854775807", "9223372036854775808", "1e300"].map(
  (text) => new RawJson(text),
);

/** Writes JSON with raw parts. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${toJson(part)}`).join(",")}}`;
}

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const RAW = [
  ...["1e999", "-1e999", "1e308", "-0", "9007199254740993", "1e21", "0.1", "-1"],
  ...['"\\ud800"', '"\\u0000"', '"a\\r\\nb"', '"%00"', '"../.."', '"__proto__"', '"constructor"', '""', '" "'],
  ...['{"__proto__":{"a":1}}', '{"toString":1,"valueOf":1}', '{"length":-1}', '{"":null}', "[null]", "[[]]", "[{}]"],
  ...['"2026-13-45T99:99:99Z"', '"0000-00-00"', '"+275760-09-13T00:00:00Z"', '"9999-12-31T23:59:59.999999999Z"'],
  ...['"http://"', '"https://["', '"http://127.0.0.1:1/a"', '"s3://x"'],
  ...[nested(200), nested(20_000), JSON.stringify("x".repeat(200_000)), JSON.stringify(Array(20_000).fill(1))],
];

/** Any value of JSON, a raw one, or undefined for a missing field. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(null, true, false, 0, 1, "text", [], {}),
  fc.constantFrom(...RAW).map((text) => new RawJson(text)),
  fc.jsonValue({ maxDepth: 3 }),
);

const SEGMENTS = [
  ...["%00", "%ff", "%c3%28", "%2e%2e", "..%2f..", "%", "%zz", "a%0d%0ab", "%F0%9F%98%80", "*", "a;b", "~", "-1"],
  ...["__proto__", "constructor", "null", "undefined", "00000000-0000-0000-0000-000000000000", "x".repeat(5000)],
];
/** A segment of a path, as it is sent. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...SEGMENTS),
  fc.string({ minLength: 1 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

const TEXTS = [
  ...["", "0", "-1", "1e999", "99999999999999999999", "0x10", "NaN", "true", "%00", "%ff", "%", "[]", "a&a=b"],
  ...["2026-01-01T00:00:00Z", "%2B275760-09-13", "00000000-0000-0000-0000-000000000000", "/*a*a*a*a*a*a*a*a*b"],
];
/** The value of a parameter, as it is sent. */
export const hostileParameter: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string().map((text) => encodeURIComponent(text.toWellFormed())),
);
