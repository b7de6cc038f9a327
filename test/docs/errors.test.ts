/** Pages quote errors: each is in the code, word for word but for what `…` stands for. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, ROOT } from "./support/markdown";

/** All texts of the code: template parts between `${…}`, escapes undone, halves put together. */
function words(): string {
  const files = ["sdk", "provider"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(ROOT, folder, name), "utf8")),
  );
  const whole = files.join("\n").replace(/["`]\s*\+\s*["`]/g, "");
  return whole.replaceAll("\\n", "\n").replaceAll("\\`", "`").replaceAll('\\"', '"');
}

const said = words();
/** The parts of a quoted line that the code says as they are. */
const partsOf = (line: string) => line.split("…").filter((part) => /\w{2}/.test(part));
const isSaid = (part: string) => said.includes(part) || said.includes(part.trim());

test.each(["errors", "troubleshooting"])("every error that docs/%s.md shows is one that can be met", (page) => {
  const quotes = blocksOf(`docs/${page}.md`).filter(({ language }) => language === "text");
  const lines = quotes.flatMap(({ text }) => text.trimEnd().split("\n"));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !partsOf(line).every(isSaid))).toEqual([]);
});

test("a text that the code does not say is found", () => {
  expect(partsOf("Gave up after … waiting in vain").every(isSaid)).toBe(false);
});
