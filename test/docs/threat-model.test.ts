/** The threat model: each mitigation names tests that exist. */
import { existsSync } from "node:fs";
import { join } from "node:path";
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
