import fc from "fast-check";
import { mask } from "../../../provider/mask";

it("a value is masked wherever it stands, the longest first", () => {
  expect(mask("a=abc b=abcdef", ["abc", "abcdef"])).toBe("a=[secret] b=[secret]");
});

it("a value of several lines is masked line by line too, and as JSON writes it", () => {
  const secrets = ['first "line"\nsecond line'];
  for (const text of ['x first "line" y', "second line", 'first \\"line\\"\\nsecond line']) {
    expect(mask(text, secrets)).not.toMatch(/first|second/);
  }
});

it("a short value is masked where it stands alone, and leaves words and braces readable", () => {
  expect(mask("k: work, key=k", ["k"])).toBe("[secret]: work, key=[secret]");
  expect(mask("{ ok }", ['{\n  "a": "longer"\n}'])).toBe("{ ok }");
});

it("an empty or blank value masks nothing", () => {
  expect(mask("a b", ["", " ", "\n"])).toBe("a b");
});

it("no value is left in a line, whatever the line and the values", () => {
  const value = fc.stringMatching(/^[A-Z0-9]{6,12}$/);
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), fc.array(fc.string()), (values, words) => {
      const line = words.flatMap((word, index) => [word, values[index % values.length]]).join(" ");
      const masked = mask(line, values);
      for (const one of values) expect(masked).not.toContain(one);
    }),
  );
});
