/** The errors that pages quote exist in the code, and the errors that the code raises are on a page. `…` stands for varying parts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, blocksOf, ROOT } from "./support/markdown";

/** The source code of the SDK, the provider and the plugin, with concatenated literals joined. */
function sourceCode(): string {
  const files = ["sdk", "provider", "plugin"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(ROOT, folder, name), "utf8")),
  );
  return files.join("\n").replace(/["`]\s*\+\s*["`]/g, "");
}

const unescaped = (text: string) => text.replaceAll("\\n", "\n").replaceAll("\\`", "`").replaceAll('\\"', '"');
const source = sourceCode();
const texts = unescaped(source);
/** The constant parts of a quoted line. */
const partsOf = (line: string) => line.split("…").filter((part) => /\w{2}/.test(part));
const isInCode = (part: string) => texts.includes(part) || texts.includes(part.trim());

const PAGES = ["errors", "troubleshooting", "thread"];
const quotedBlocks = (page: string) => blocksOf(`docs/${page}.md`).filter(({ language }) => language === "text");
const linesOf = (blocks: readonly Block[]) => blocks.flatMap(({ text }) => text.trimEnd().split("\n"));
/** Blocks marked as output are compared with the real output by test/e2e/docs-pages.release.test.ts. */
const quotes = (page: string) => linesOf(quotedBlocks(page).filter(({ notes }) => notes.output === undefined));

test.each(PAGES)("every error that docs/%s.md quotes exists in the code", (page) => {
  expect(quotes(page).length).toBeGreaterThan(0);
  expect(quotes(page).filter((line) => !partsOf(line).every(isInCode))).toEqual([]);
});

const isLong = (part: string) => (part.match(/\w{2,}/g) ?? []).length >= 4;

/** The constant parts of each error message that is passed to a constructor as a literal. */
function raisedErrors(): string[][] {
  // That class contains its own sentence.
  const messages = source.matchAll(/new (?!WrongServer)\w+Error\(\s*(?:`((?:[^`\\]|\\.)+)`|"((?:[^"\\]|\\.)+)")/g);
  const literals = [...messages].map(([, template, plain]) => unescaped(template ?? plain ?? ""));
  return literals.map((text) => text.split(/\$\{[^}]*\}|\n/).filter(isLong)).filter((parts) => parts.length > 0);
}

test("every error that the code raises is quoted on a page", () => {
  const entries = linesOf(PAGES.flatMap(quotedBlocks)).flatMap((line) => line.split("…").map((part) => part.trim()));
  const known = entries.filter(isLong);
  const isKnown = (part: string) => known.some((entry) => part.includes(entry) || entry.includes(part.trim()));
  expect(raisedErrors().length).toBeGreaterThan(35);
  expect(raisedErrors().filter((parts) => !parts.some(isKnown))).toEqual([]);
});

test("a quote that is not in the code is detected", () => {
  expect(partsOf("Gave up after … waiting in vain").every(isInCode)).toBe(false);
});
