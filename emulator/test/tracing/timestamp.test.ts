import * as fc from "fast-check";
import { formatCompact, parseMicros } from "../../src/tracing/timestamp";
import { forAll } from "../support/for-all";

test.each([
  ["1970-01-01T00:00:00.000001Z", 1],
  ["1970-01-01", 0],
  ["1970-01-01T00:01", 60_000_000],
  ["1970-01-01 00:00:01,5", undefined],
  ["1970-01-01 00:00:01.5", 1_500_000],
  ["1970-01-01T00:00:00.1234567z", 123_456],
  ["1970-01-01T01:30:00+01:30", 0],
  ["1969-12-31T22:30:00-0130", 0],
  ["1969-12-31T23:59:59.999999Z", -1],
  ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29) * 1000],
  ["2026-02-29T00:00:00Z", undefined],
  ["2026-13-01", undefined],
  ["2026-00-10", undefined],
  ["2026-01-00", undefined],
  ["2026-01-01T24:00:00Z", undefined],
  ["2026-01-01T23:60:00Z", undefined],
  ["2026-01-01T23:59:60Z", undefined],
  ["2026-01-01T00:00:00+24:00", undefined],
  ["2026-01-01T00:00:00+01", undefined],
  ["2026-01-01Z", undefined],
  ["0050-01-01T00:00:00Z", undefined],
  ["9999-12-31", Date.UTC(9999, 11, 31) * 1000],
  ["yesterday", undefined],
])("%s is %s microseconds after 1970", (text, micros) => {
  expect(parseMicros(text)).toBe(micros);
});

test("a formatted time is parsed back to the microsecond", () => {
  const moments = fc.record({
    at: fc.date({ min: new Date(0), max: new Date("2255-01-01"), noInvalidDate: true }),
    more: fc.nat(999),
  });
  forAll(moments, ({ at, more }) => {
    const digits = String(more).padStart(3, "0");
    const micros = at.getTime() * 1000 + more;
    const iso = at.toISOString().replace("Z", `${digits}Z`);
    expect(parseMicros(iso)).toBe(micros);
    expect(formatCompact(micros)).toBe(iso.replace(/[-:.]/g, ""));
  });
});
