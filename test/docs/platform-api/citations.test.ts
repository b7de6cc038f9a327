/** Comments and documents cite the API by facts of docs/platform-api/, and only files of the repository. */
import { execFileSync } from "node:child_process";
import { isCitable, readFacts } from "../../../scripts/docs/platform-api";
import { ROOT, textOf } from "../support/markdown";
import { codeProse } from "../support/prose";

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n");
const EXAMPLES = "test/docs/platform-api/citations.test.ts";
const texts = files.filter((file) => /\.(m?[jt]sx?|md|go|py|ya?ml)$/.test(file) && file !== EXAMPLES);
const sources = texts.filter((file) => /\.m?[jt]sx?$/.test(file));

/** Returns the facts that a text cites: "API `4A` and `8.cpu`". */
const citations = (text: string): string[] =>
  [...text.matchAll(/\bAPI (`\d+[A-C]?(?:[.:][^`]+)?`(?:(?:, | and |, and )`\d[^`]*`)*)/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, id = ""]) => id),
  );

/** Documents that commands and tests write. */
const WRITTEN = new Set(["review.md", "python.md"]);

/** Returns the Markdown files in a text that are not part of the repository, wherever the text refers to them from. */
function missingDocuments(text: string): string[] {
  const named = [...text.matchAll(/(?<![\w./<>{}*$~-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?!\()/g)].map(
    ([, path = ""]) => path,
  );
  const isKnown = (path: string) => files.some((file) => file === path || file.endsWith(`/${path}`));
  return named.filter(
    (path) => !WRITTEN.has(path) && !isKnown(path.replace(/^(\.\.\/|node_modules\/pulumi-agentgraph\/)+/, "")),
  );
}

it("every fact that a file cites is on a page", () => {
  const facts = readFacts(ROOT);
  const cited = texts.flatMap((file) => citations(textOf(file)).map((id) => ({ file, id })));
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ id }) => !isCitable(id, facts))).toEqual([]);
});

it("the documents that comments and texts name are part of the repository", () => {
  const suspects = sources.filter(
    (file) => !file.startsWith("test/docs/") && missingDocuments(textOf(file)).length > 0,
  );
  const prose = suspects.flatMap((file) => codeProse(file));
  const missing = prose.flatMap(({ location, text }) => missingDocuments(text).map((path) => `${location}: ${path}`));
  expect(missing).toEqual([]);
});
