/** Links in the documentation lead to existing files and headings, and every page can be reached. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { anchorsOf, documents, linksOf, REGISTRY_PAGES, ROOT, textOf } from "./support/markdown";

const isForRegistry = (file: string) => REGISTRY_PAGES.includes(file);
const guide = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md") && !isForRegistry(`docs/${name}`));

const isExternal = (target: string) => /^[a-z]+:/.test(target);

/** Returns the relative links that do not lead to a file, or to a heading of it. */
function deadLinks(file: string, text = textOf(file)): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    if (isExternal(target)) return [];
    const [path = "", anchor] = target.split("#");
    const to = path === "" ? file : normalize(join(dirname(file), path));
    const location = `${file}:${line}: ${target}`;
    if (!existsSync(join(ROOT, to))) return [`${location}: ${to} does not exist`];
    if (statSync(join(ROOT, to)).isDirectory())
      return [`${location}: ${to} is a folder, and the website has only files`];
    if (anchor === undefined) return [];
    return anchorsOf(path === "" ? text : textOf(to)).has(anchor) ? [] : [`${location}: ${to} has no such heading`];
  });
}

test("the tests that pages name exist", () => {
  const named = documents().flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:emulator\/)?test\/[\w./-]+\.test\.ts\b/g)].map(([path]) => ({ file, path })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test.each(documents().filter((file) => !isForRegistry(file)))("the links of %s lead to files and headings", (file) => {
  expect(deadLinks(file)).toEqual([]);
});

/** Paths of the repository in code font, such as `provider/http/client.ts`. */
const repositoryPaths = (text: string) =>
  [...text.matchAll(/`((?:sdk|provider|cli|emulator|test|scripts|examples|toolchain|docs)\/[\w./-]*\w)`/g)].map(
    ([, path = ""]) => path,
  );

test.each([
  "README.md",
  "CONTRIBUTING.md",
  ...["additions", "architecture", "decisions", "documentation", "how-it-works", "testing"].map(
    (page) => `docs/internal/${page}.md`,
  ),
])("the paths that %s names exist", (file) => {
  const paths = repositoryPaths(textOf(file));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("CONTRIBUTING.md says what each folder of the root and of docs/ is for", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  const folders = files.flatMap((file) => /^(?:docs\/)?[^/]+\//.exec(file) ?? []);
  const rows =
    textOf("CONTRIBUTING.md")
      .match(/^\| `.*/gm)
      ?.join("\n") ?? "";
  const missing = [...new Set(folders)].filter(
    (folder) => !rows.includes(`\`${folder.replace("docs/images/", "images/")}\``),
  );
  expect(missing).toEqual([]);
});

test("every page of the guide can be reached from the README", () => {
  const visited = new Set<string>();
  const follow = (file: string) => {
    if (visited.has(file) || !file.endsWith(".md")) return;
    visited.add(file);
    for (const { target } of linksOf(textOf(file))) {
      const [path = ""] = target.split("#");
      if (!isExternal(target) && path) follow(normalize(join(dirname(file), path)));
    }
  };
  follow("README.md");
  expect(guide.filter((page) => !visited.has(`docs/${page}`))).toEqual([]);
});

test("no page of the guide is longer than 225 lines, except the one that readers search instead of reading it", () => {
  const pages = guide.filter((page) => page !== "errors.md");
  expect(pages.filter((page) => textOf(`docs/${page}`).split("\n").length > 226)).toEqual([]);
});

test.each(guide)("docs/%s has one title", (page) => {
  const withoutBlocks = textOf(`docs/${page}`).replace(/^ *(```+)[\s\S]*?^ *\1/gm, "");
  expect(withoutBlocks.match(/^# .+$/gm) ?? []).toHaveLength(1);
});
