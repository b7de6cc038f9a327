/**
 * YAML that other programs read means the same to a parser of version 1.1, such as those of kubectl and PyYAML, as to
 * one of 1.2.
 */
import { CST, Parser, parseAllDocuments } from "yaml";
import { blocksOf, documents, textOf } from "../support/markdown";
import { filesIn } from "../support/prose";

/** Returns the unquoted texts in braces and brackets that a parser of version 1.1 rejects: there, `?` begins a key. */
function invalidTexts(text: string): string[] {
  const found: string[] = [];
  for (const document of new Parser().parse(text)) {
    if (document.type !== "document") continue;
    CST.visit(document, ({ key, value }, path) => {
      const isInFlow = path.some(
        (_, depth) => CST.visit.parentCollection(document, path.slice(0, depth + 1))?.type === "flow-collection",
      );
      for (const token of [key, value])
        if (isInFlow && token?.type === "scalar" && token.source.includes("?")) found.push(token.source);
    });
  }
  return found;
}

/** Returns all documents as a parser of a version reads them. @throws Error for invalid YAML. */
const read = (text: string, version: "1.1" | "1.2") =>
  parseAllDocuments(text, { version, merge: true }).map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS();
  });

const files = ["examples", "templates"].flatMap((folder) => filesIn(folder, [".yaml", ".yml"]));
const sources = [
  ...files.map((file) => [file, textOf(file)] as const),
  ...documents().flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => /^ya?ml$/.test(language))
      .map(({ line, text }) => [`${page}:${line}`, text] as const),
  ),
];

test("there is YAML in examples, templates and documentation", () => {
  expect(files.length).toBeGreaterThan(30);
  expect(sources.length).toBeGreaterThan(files.length);
});

test.each(sources)("%s means the same in YAML 1.1 and 1.2", (file, text) => {
  expect(invalidTexts(text)).toEqual([]);
  // The key that names the events of a workflow, which its only reader takes for a text.
  const isWorkflow = file.includes(".github/workflows/") || /^on:/m.test(text);
  const comparable = isWorkflow ? text.replace(/^on:/m, '"on":') : text;
  expect(read(comparable, "1.1")).toEqual(read(comparable, "1.2"));
});
