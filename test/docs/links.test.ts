/** Links of the texts lead somewhere, and every page can be found. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorsOf, documents, linksOf, ROOT, textOf } from "./support/markdown";

/** Pages for those who work on the repository; the others are the guide, which is in the package too. */
const ofTheRepository = new Set(["coverage.md", "design-decisions.md", "figures.md"]);
const guide = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md") && !ofTheRepository.has(name));

const isElsewhere = (target: string) => /^[a-z]+:/.test(target);

/** What is wrong with the links of a text; the web is not asked. */
function deadLinks(file: string, text = textOf(file)): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    if (isElsewhere(target)) return [];
    const [path = "", anchor] = target.split("#");
    const to = path === "" ? file : normalize(join(dirname(file), path));
    const where = `${file}:${line}: ${target}`;
    if (!existsSync(join(ROOT, to))) return [`${where}: there is no ${to}`];
    if (anchor === undefined) return [];
    return anchorsOf(path === "" ? text : textOf(to)).has(anchor) ? [] : [`${where}: ${to} has no such heading`];
  });
}

test.each(documents())("the links of %s lead to files and headings", (file) => {
  expect(deadLinks(file)).toEqual([]);
});

test("a dead link is found, be it a file or a heading, and none in code", () => {
  const text =
    "# A b\n[one](#a-b) [two](#c) `[three](x)`\n```\n[four](y)\n```\n[five](z.md) [six](README.md#not-there)";
  expect(deadLinks("README.md", text)).toEqual([
    "README.md:2: #c: README.md has no such heading",
    "README.md:6: z.md: there is no z.md",
    "README.md:6: README.md#not-there: README.md has no such heading",
  ]);
});

test("from the README every page of the guide can be reached", () => {
  const seen = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file) || !file.endsWith(".md")) return;
    seen.add(file);
    for (const { target } of linksOf(textOf(file))) {
      const [path = ""] = target.split("#");
      if (!isElsewhere(target) && path) follow(normalize(join(dirname(file), path)));
    }
  };
  follow("README.md");
  expect(guide.filter((page) => !seen.has(`docs/${page}`))).toEqual([]);
});

test("no page of the guide that is read from top to bottom is longer than 200 lines", () => {
  // Nobody reads the list of errors: a search for a text leads into it.
  const read = guide.filter((page) => page !== "errors.md");
  expect(read.filter((page) => textOf(`docs/${page}`).split("\n").length > 201)).toEqual([]);
});
