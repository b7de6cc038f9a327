/** Numbers of servers that JavaScript would change, and texts that compare values. */
import { isObject, isSameJson, parseLossless, toComparable } from "../../../provider/conversations/lossless-json";

it.each(["9007199254740993", "1.0", "-0.0", "1e400", "12345678901234567890", "0.1", "-7", "1E5"])(
  "The number %s is written as it was read",
  (number) => {
    for (const text of [`{"a":[${number}]}`, `[1,${number}]`, `{"a":${number},"b":1}`, number])
      expect(JSON.stringify(parseLossless(text))).toBe(text);
  },
);

it("Objects are equal in any order of keys, and numbers only in the same spelling", () => {
  expect(isSameJson(parseLossless('{"a":1,"b":{"c":[1.0]}}'), parseLossless('{"b":{"c":[1.0]},"a":1}'))).toBe(true);
  expect(isSameJson(parseLossless('{"a":1.0}'), parseLossless('{"a":1}'))).toBe(false);
  expect(toComparable(undefined)).toBe("null");
});

it("A number that keeps its spelling is not taken for an object, whose keys would be written", () => {
  expect([{}, [], null, parseLossless("2.0")].map(isObject)).toEqual([true, false, false, false]);
});
