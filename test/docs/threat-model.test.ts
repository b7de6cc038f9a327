/** The threat model: each mitigation names tests that exist. And the dependencies that the page on security names. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dependencies } from "../../package.json";
import { ROOT, textOf } from "./support/markdown";

const [, section = ""] = /^## Entry points and mitigations$(.*?)^## /ms.exec(textOf("docs/threat-model.md")) ?? [];
const mitigations = section
  .split(/^- /m)
  .slice(1)
  .map((item) => item.replace(/\s+/g, " "));
const proofsOf = (item: string) =>
  [...item.matchAll(/`([\w./-]+\.test\.ts)`: "([^"]+)"/g)].map(([, file = "", title = ""]) => ({ file, title }));

test("Each mitigation of the threat model names a test", () => {
  expect(mitigations.length).toBeGreaterThan(20);
  expect(mitigations.filter((item) => proofsOf(item).length === 0)).toEqual([]);
});

test.each(mitigations.flatMap(proofsOf))("The test of the threat model exists: $file, $title", ({ file, title }) => {
  expect(existsSync(join(ROOT, file))).toBe(true);
  expect(textOf(file)).toContain(title);
});

test("The page on security names the dependencies of the package", () => {
  const [, names = ""] = /handles your API keys depends on ([^.]*)\./.exec(textOf("docs/security.md")) ?? [];
  expect(names.split(/,?\s+and\s+|,\s+/)).toEqual(Object.keys(dependencies).sort());
});
