import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * The full names of a file's tests as they stand in it: those of its groups, then its own, as Jest prints them. A name
 * with places to fill in (`%s`) stays a template.
 */
export function titlesOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node, groups: string[]): void => {
    const [kind, title] = (ts.isCallExpression(node) && called(node)) || [];
    if (title !== undefined && kind !== "describe") titles.push([...groups, title].join(" "));
    const inner = title !== undefined && kind === "describe" ? [...groups, title] : groups;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return titles;
}

/** Which of Jest's functions is called, and with which title; `test.each(table)("title", …)` counts too. */
function called({ expression, arguments: [title] }: ts.CallExpression): [string, string] | undefined {
  let callee: ts.Expression = ts.isCallExpression(expression) ? expression.expression : expression;
  while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !["describe", "it", "test"].includes(callee.text)) return undefined;
  return title && ts.isStringLiteralLike(title) ? [callee.text, title.text] : undefined;
}
