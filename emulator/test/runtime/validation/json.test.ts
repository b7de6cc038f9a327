import fc from "fast-check";
import { findJsonError, JsonDepthError, parseJson } from "../../../src/runtime/validation/json";
import { forAll } from "../../support/for-all";

test("an error in invalid JSON has a position and a message", () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom(",", "}", "]", '"', ":", "x", ""))
    .map(([json, at, inserted]) => {
      const position = at % (json.length + 1);
      return json.slice(0, position) + inserted + json.slice(position + (inserted === "" ? 1 : 0));
    });
  forAll(broken, (text) => {
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
  });
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
  ["[", 1, "Expecting value"],
  ["[1", 2, "Expecting ',' delimiter"],
  ["[1 2]", 3, "Expecting ',' delimiter"],
  ['{"a":', 5, "Expecting value"],
  ['{"a":1', 6, "Expecting ',' delimiter"],
  ['{"a":1,}', 7, "Expecting property name enclosed in double quotes"],
  ["\t\r\n 1 x", 6, "Extra data"],
  [' { "a" : [ ] , "b" : { } , "c" : [ 1 , [ ] ] } x', 47, "Extra data"],
  ['"a\nb"', 2, "Invalid control character at"],
  ['"a\u001fb"', 2, "Invalid control character at"],
  ['"\\u12"', 1, "Invalid \\escape"],
  ['"\\u12G4"', 1, "Invalid \\escape"],
  ['"\\n\\u00e9" x', 11, "Extra data"],
  ['"\\\\" x', 5, "Extra data"],
  ['"\\', 1, "Invalid \\escape"],
  ["-", 0, "Expecting value"],
  ["01", 1, "Extra data"],
  ["-1.5e+3 x", 8, "Extra data"],
  ["[truee]", 5, "Expecting ',' delimiter"],
  ["[null, false, NaN, -Infinity] x", 30, "Extra data"],
  ["NaN", 3, "Expecting value"],
])("the invalid JSON %j has its error at %i: %s", (text, position, message) => {
  expect(findJsonError(text)).toMatchObject({ position, message });
});

test("JSON is parsed up to a depth", () => {
  expect(parseJson('{"a":[null]}', 2)).toEqual({ a: [null] });
  expect(() => parseJson('{"a":[null]}', 1)).toThrow(new JsonDepthError("Nested too deeply"));
  expect(() => parseJson("{", 1)).toThrow(SyntaxError);
});

// @covers 7:threads.numbers
test.each(["1e400", '{"a":[-1e400]}'])("JSON with a too large number is rejected, not stored as null: %s", (text) => {
  expect(() => parseJson(text, 9)).toThrow(SyntaxError);
  expect(parseJson('{"toString":1,"valueOf":1}', 9)).toEqual({ toString: 1, valueOf: 1 });
});

test("JSON that is nested too deeply for the search has its error at the beginning", () => {
  expect(findJsonError("[".repeat(200_000))).toEqual({ position: 0, message: "Nested too deeply" });
});
