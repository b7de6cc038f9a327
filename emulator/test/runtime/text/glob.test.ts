import fc from "fast-check";
import { matchesPath } from "../../../src/runtime/text/glob";
import { forAll } from "../../support/for-all";

test("characters of regular expressions in a pattern stand for themselves", () => {
  expect([matchesPath("/a.c?[x]", "/a.c?[x]"), matchesPath("/a.c", "/abc")]).toEqual([true, false]);
});

test("a pattern matches the same paths as the equivalent regular expression", () => {
  const text = (letters: string[]) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(""));
  forAll(text(["a", "b", "/", "*", "**"]), text(["a", "b", "/"]), (pattern, path) => {
    const expression = pattern.replace(/\*\*|\*/g, (stars) => (stars === "**" ? ".*" : "[^/]*"));
    expect(matchesPath(pattern, path)).toBe(new RegExp(`^${expression}$`).test(path));
  });
});
