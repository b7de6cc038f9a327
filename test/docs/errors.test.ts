/** Pages quote errors: each is in the code, word for word but for what `…` stands for. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, blocksOf, ROOT } from "./support/markdown";

/** All of the code, halves of texts put together. */
function code(): string {
  const files = ["sdk", "provider"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(ROOT, folder, name), "utf8")),
  );
  return files.join("\n").replace(/["`]\s*\+\s*["`]/g, "");
}

const unescaped = (text: string) => text.replaceAll("\\n", "\n").replaceAll("\\`", "`").replaceAll('\\"', '"');
const written = code();
/** All texts of the code: template parts between `${…}`. */
const said = unescaped(written);
/** The parts of a quoted line that the code says as they are. */
const partsOf = (line: string) => line.split("…").filter((part) => /\w{2}/.test(part));
const isSaid = (part: string) => said.includes(part) || said.includes(part.trim());

const PAGES = ["errors", "troubleshooting", "functions"];
const shown = (page: string) => blocksOf(`docs/${page}.md`).filter(({ language }) => language === "text");
const linesOf = (blocks: readonly Block[]) => blocks.flatMap(({ text }) => text.trimEnd().split("\n"));
/** What a page says is printed is compared with what is printed, in a story. */
const quotes = (page: string) => linesOf(shown(page).filter(({ notes }) => notes.says === undefined));

test.each(PAGES)("every error that docs/%s.md shows is one that can be met", (page) => {
  expect(quotes(page).length).toBeGreaterThan(0);
  expect(quotes(page).filter((line) => !partsOf(line).every(isSaid))).toEqual([]);
});

const isLong = (part: string) => (part.match(/\w{2,}/g) ?? []).length >= 4;

/** What is raised in words of our own, without what differs from case to case. Texts that are put together elsewhere are not seen. */
function raised(): string[][] {
  // That class has its sentence in itself, and is given what differs.
  const messages = written.matchAll(/new (?!WrongServer)\w+Error\(\s*(?:`((?:[^`\\]|\\.)+)`|"((?:[^"\\]|\\.)+)")/g);
  const texts = [...messages].map(([, template, plain]) => unescaped(template ?? plain ?? ""));
  return texts.map((text) => text.split(/\$\{[^}]*\}|\n/).filter(isLong)).filter((parts) => parts.length > 0);
}

test("every error that is raised in words of our own has an entry", () => {
  const entries = linesOf(PAGES.flatMap(shown)).flatMap((line) => line.split("…").map((part) => part.trim()));
  const known = entries.filter(isLong);
  const isKnown = (part: string) => known.some((entry) => part.includes(entry) || entry.includes(part.trim()));
  expect(raised().length).toBeGreaterThan(35);
  expect(raised().filter((parts) => !parts.some(isKnown))).toEqual([]);
});

test("a text that the code does not say is found", () => {
  expect(partsOf("Gave up after … waiting in vain").every(isSaid)).toBe(false);
});
