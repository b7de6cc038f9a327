/** Every function is listed where users look for it. */
import { functions } from "../../provider/functions/functions";
import { textOf } from "./support/markdown";

test.each(["README.md", "docs/functions.md"])("%s lists every function", (page) => {
  const names = functions.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !textOf(page).includes(`\`${name}\``))).toEqual([]);
});
