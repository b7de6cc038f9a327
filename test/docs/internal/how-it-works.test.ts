/** The page for contributors names files and functions that exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT, textOf } from "../support/markdown";

const page = textOf("docs/internal/how-it-works.md");
const steps = [...page.matchAll(/^\d+\. `([^`]+)` `([^`]+)`:/gm)].map(
  ([, file = "", name = ""]) => [file, name] as const,
);

/** Returns the names of the functions, methods and constants that a file declares. */
function declaredNames(file: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const { name } = node as ts.Node & { name?: ts.Node };
    const isDeclaration = ts.isFunctionLike(node) || ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
    if (isDeclaration && name && ts.isIdentifier(name)) names.add(name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest));
  return names;
}

test.each(steps)("The step in %s names a function that the file declares: %s", (file, name) => {
  expect([...declaredNames(file)]).toContain(name);
});

test("Each operation has about ten steps, all of which name a file and a function", () => {
  const operations = page.split(/^## /m).slice(3);
  const counts = operations.map((operation) => [...operation.matchAll(/^\d+\. /gm)].length);
  expect(counts).toEqual([12, 6, 10, 10]);
  expect(steps).toHaveLength(38);
});
