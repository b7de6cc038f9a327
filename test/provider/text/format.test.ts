import { parseDuration } from "../../../provider/text/format";

it.each([
  ["90s", 90_000],
  ["1h2m3s4ms", 3_723_004],
  ["250ms", 250],
  ["1.5m", 90_000],
  ["0s", 0],
])("The duration %p is %p milliseconds", (text, value) => {
  expect(parseDuration(text)).toBe(value);
});

it.each(["", "90", "s", "1d", "1 h", "-5s", "5s later", " 5s", "5S", "1,5s", "1e3s", ".5s", "5.s", "NaNs"])(
  "%p is not a valid duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
