/** Lists what the modules of a package send and accept, from their syntax trees. */
import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import ts from "typescript";

const PATH = /^\/(v\d+|api|threads|runs|assistants|store|deployments|info|ok)(\/[\w{}.:$-]+)*\/?$/;
const HEADER = /^x-[a-z][a-z-]+$/i;
const VARIABLE = /^(LANGSMITH|LANGGRAPH|LANGCHAIN)_[A-Z_]+$/;
const KEY = /^[A-Za-z_][\w-]*$/;
const METHODS = ["get", "post", "put", "patch", "delete"];

/** @param patterns Files whose keys and values count as well. */
export function javascriptItems(folder: string, patterns: readonly string[]): string[] {
  const items = new Set<string>();
  for (const name of globSync("**/*.{js,mjs,d.ts,d.mts}", { cwd: folder }).sort()) {
    const isSelected = patterns.some((pattern) => matchesGlob(name, pattern));
    const source = ts.createSourceFile(name, readFileSync(join(folder, name), "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      for (const item of itemsEverywhere(node)) items.add(item);
      if (isSelected) for (const item of itemsOfSelected(node)) items.add(item);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...items].sort();
}

function* itemsEverywhere(node: ts.Node): Generator<string> {
  const text = textOf(node);
  if (text === undefined) return;
  const path = text.replace(/\/$/, "");
  if (PATH.test(path)) yield pathItem(node, path.replace(/:[a-z_]+(\{[^}]*\})?/g, "{}"));
  if (HEADER.test(text)) yield `header ${text.toLowerCase()}`;
  if (VARIABLE.test(text)) yield `variable ${text}`;
}

/** The path is that of a route where it is the first argument of a router's method. */
function pathItem(node: ts.Node, path: string): string {
  const call =
    ts.isCallExpression(node.parent) && node.parent.arguments[0] === node ? node.parent.expression : undefined;
  const method = call && ts.isPropertyAccessExpression(call) ? call.name.text : "";
  return METHODS.includes(method) ? `route ${method.toUpperCase()} ${path}` : `path ${path}`;
}

function* itemsOfSelected(node: ts.Node): Generator<string> {
  if (ts.isPropertyAssignment(node) || ts.isPropertySignature(node) || ts.isShorthandPropertyAssignment(node)) {
    const name = ts.isStringLiteral(node.name) || ts.isIdentifier(node.name) ? node.name.text : "";
    if (KEY.test(name)) yield `key ${name}`;
  }
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)) yield `value ${node.literal.text}`;
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    for (const value of node.expression.name.text === "enum" ? node.arguments.flatMap(elementsOf) : [])
      yield `value ${value}`;
}

const elementsOf = (node: ts.Expression): string[] =>
  ts.isArrayLiteralExpression(node) ? node.elements.filter(ts.isStringLiteral).map(({ text }) => text) : [];

/** The text of a literal or a template, with {} for its expressions. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("");
}
