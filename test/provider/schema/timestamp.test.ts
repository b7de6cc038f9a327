/** Times as texts: what names an instant, and what is sent for one. */
import fc from "fast-check";
import { forAll } from "../../../emulator/test/support/for-all";
import { formatTimestamp, isSameTime, parseServerTimestamp, parseTimestamp } from "../../../provider/schema/timestamp";

it.each([
  ...["2026-01-01", "2026-01-01T00:00:00", "2026-02-30T00:00:00Z", "2026-01-01T24:30:00Z", "2026-01-01T00:00:00+25:00"],
  ...["tomorrow", ""],
])('"%s" is not a timestamp', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

it("A timestamp is parsed to microseconds, also before 1970", () => {
  expect(parseTimestamp("1970-01-01T00:00:00.000001Z")).toBe(1n);
  expect(parseTimestamp("1969-12-31T23:59:59.999999Z")).toBe(-1n);
  expect(formatTimestamp(-1n)).toBe("1969-12-31T23:59:59.999999Z");
});

it("A timestamp is truncated to microseconds, as no column stores more", () => {
  expect(parseTimestamp("2026-01-01T00:00:00.1234567Z")).toBe(parseTimestamp("2026-01-01T00:00:00.123456Z"));
});

it("Every instant survives formatting and parsing", () => {
  const [from, to] = [Date.parse("1900-01-01"), Date.parse("2200-01-01")].map((at) => BigInt(at) * 1000n);
  forAll(fc.bigInt({ min: from, max: to }), (instant) => parseTimestamp(formatTimestamp(instant)) === instant);
});

it("Every spelling of an instant in any time zone is that instant", () => {
  const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });
  forAll(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }), minutes, (date, zone) => {
    const local = new Date(date.getTime() + zone * 60_000).toISOString().slice(0, -1);
    const [hours, rest] = [Math.trunc(Math.abs(zone) / 60), Math.abs(zone) % 60].map((n) => String(n).padStart(2, "0"));
    return parseTimestamp(`${local}${zone < 0 ? "-" : "+"}${hours}:${rest}`) === BigInt(date.getTime()) * 1000n;
  });
});

it.each([
  ["2026-01-01T00:00:00.123456", 1767225600123456n],
  ["2026-01-01 00:00:00", 1767225600000000n],
  ["2026-01-01T00:00:00Z", 1767225600000000n],
  ["2026-01-01T01:00:00+01:00", 1767225600000000n],
  ["1767225600000", 1767225600000000n],
  [1767225600123, 1767225600123000n],
])("%s in a response is UTC unless it says otherwise", (text, instant) => {
  expect(parseServerTimestamp(text)).toBe(instant);
});

it.each([undefined, null, "", "soon"])("%p in a response is not a timestamp", (value) => {
  expect(parseServerTimestamp(value)).toBeUndefined();
});

it.each([
  ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123456+00:00", true],
  ["2026-01-01T00:00:00.123456Z", "2026-01-01T00:00:00.123457Z", false],
  ["2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00.123999Z", true],
  ["2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00.124Z", false],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.9Z", true],
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", false],
  ["2026-01-01T00:00:00Z", undefined, true],
])("%s and %s are compared by the less precise of them: %p", (left, right, isSame) => {
  expect([isSameTime(left, right), isSameTime(right, left)]).toEqual([isSame, isSame]);
});
