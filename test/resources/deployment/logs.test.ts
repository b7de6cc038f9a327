import fc from "fast-check";
import { mask } from "../../../provider/resources/deployment/logs";

it("a value is masked wherever it stands, the longest first", () => {
  expect(mask("a=abc b=abcdef", { A: "abc", B: "abcdef" })).toBe("a=[secret] b=[secret]");
});

it("a value of several lines is masked line by line too, and as JSON writes it", () => {
  const secrets = { PEM: 'first "line"\nsecond line' };
  for (const text of ['x first "line" y', "second line", 'first \\"line\\"\\nsecond line']) {
    expect(mask(text, secrets)).not.toMatch(/first|second/);
  }
});

it("an empty or blank value masks nothing", () => {
  expect(mask("a b", { A: "", B: " ", C: "\n" })).toBe("a b");
});

it("no value is left in a line, whatever the line and the values", () => {
  const value = fc.stringMatching(/^[A-Z0-9]{6,12}$/);
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), fc.array(fc.string()), (values, words) => {
      const line = words.flatMap((word, index) => [word, values[index % values.length]]).join(" ");
      const masked = mask(line, Object.fromEntries(values.map((one, index) => [`S${index}`, one])));
      for (const one of values) expect(masked).not.toContain(one);
    }),
  );
});
