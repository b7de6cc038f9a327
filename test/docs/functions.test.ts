/** Every function is listed where users look for it. */
import { functions } from "../../provider/functions/functions";
import { textOf } from "./support/markdown";

test("docs/functions.md lists every function", () => {
  const names = functions.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !textOf("docs/functions.md").includes(`\`${name}\``))).toEqual([]);
});
