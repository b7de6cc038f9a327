import fc from "fast-check";
import { findJsonError } from "../../../src/runtime/validation/json";

test("an error in invalid JSON has a position and a message", () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom(",", "}", "]", '"', ":", "x", ""))
    .map(([json, at, inserted]) => {
      const position = at % (json.length + 1);
      return json.slice(0, position) + inserted + json.slice(position + (inserted === "" ? 1 : 0));
    });
  fc.assert(
    fc.property(broken, (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      fc.pre(!valid);
      const { position, message } = findJsonError(text);
      expect(position).toBeGreaterThanOrEqual(0);
      expect(position).toBeLessThanOrEqual(text.length);
      expect(message).toMatch(/^(Expecting|Extra data|Unterminated string|Invalid)/);
    }),
  );
});

test.each([
  ["", 0, "Expecting value"],
  ["{", 1, "Expecting property name enclosed in double quotes"],
  ['{"a"}', 4, "Expecting ':' delimiter"],
  ['{"a":1 "b"}', 7, "Expecting ',' delimiter"],
  ["[1,]", 3, "Expecting value"],
  ['"abc', 0, "Unterminated string starting at"],
  ['"\\x"', 1, "Invalid \\escape"],
  ["1 2", 2, "Extra data"],
])("the invalid JSON %j has its error at %i: %s", (text, position, message) => {
  expect(findJsonError(text)).toMatchObject({ position, message });
});
