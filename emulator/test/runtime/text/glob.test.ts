import fc from "fast-check";
import { matchesPath } from "../../../src/runtime/text/glob";

test.each([
  ["/v2/deployments", "/v2/deployments", true],
  ["/v2/deployments", "/v2/deployments/", false],
  ["/v2/*", "/v2/deployments", true],
  ["/v2/*", "/v2/", true],
  ["/v2/*", "/v2/deployments/x", false],
  ["/v2/**", "/v2/deployments/x", true],
  ["**", "", true],
  ["*", "/", false],
  ["/**/logs", "/v2/deployments/x/logs", true],
  ["/*/logs", "/v2/x/logs", false],
  ["/a.c?[x]", "/a.c?[x]", true],
  ["/a.c", "/abc", false],
])("the pattern %s matches the path %s: %s", (pattern, path, matches) => {
  expect(matchesPath(pattern, path)).toBe(matches);
});

test("a pattern matches the same paths as the equivalent regular expression", () => {
  const text = (letters: string[]) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text(["a", "b", "/", "*", "**"]), text(["a", "b", "/"]), (pattern, path) => {
      const expression = pattern.replace(/\*\*|\*/g, (stars) => (stars === "**" ? ".*" : "[^/]*"));
      expect(matchesPath(pattern, path)).toBe(new RegExp(`^${expression}$`).test(path));
    }),
  );
});
