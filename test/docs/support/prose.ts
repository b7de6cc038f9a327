/** Finds the prose of this repository: text in Markdown, and comments and printed texts in TypeScript. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { proseOf, ROOT, textOf } from "./markdown";

/** A line of prose and its location. */
export interface Line {
  /** `file:line` */
  location: string;
  text: string;
}

/** Returns the paths of all files with one of the extensions in a folder, or the path itself if it is a file. */
export function filesIn(path: string, extensions: readonly string[]): string[] {
  if (extensions.some((extension) => path.endsWith(extension))) return [path];
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist"].includes(name))
    .flatMap((entry) => {
      const child = `${path}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(child, extensions);
      return extensions.some((extension) => child.endsWith(extension)) ? [child] : [];
    });
}

/** Returns the lines of a Markdown file without code. */
export const markdownProse = (file: string): Line[] =>
  proseOf(textOf(file)).map((text, index) => ({ location: `${file}:${index + 1}`, text }));

const SCRIPT = /=>|[;{}]\s*$|^\s*(const|import|export|await) /m;
const SQL = /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE|VALUES|AND|FROM|AS|ORDER BY)\b/;
/** Whether a text is source code, such as a statement of SQL or a program that a test writes. */
const isCode = (text: string) => SCRIPT.test(text) || SQL.test(text);

/**
 * Returns the comments of a TypeScript or JavaScript file, and its string literals of several words. Code in backticks
 * is blanked out.
 */
export function codeProse(file: string, text = textOf(file)): Line[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const lines: Line[] = [];
  const add = (start: number, found: string) => {
    const first = source.getLineAndCharacterOfPosition(start).line + 1;
    const blanked = found
      .replace(/\\?`[^`]*`/g, "``")
      .replace(/@param \S+/g, "@param")
      .replace(/@covers .*/g, "");
    for (const [index, part] of blanked.split("\n").entries())
      lines.push({ location: `${file}:${first + index}`, text: part });
  };
  const seen = new Set<number>();
  const addComments = (position: number) => {
    for (const range of ts.getLeadingCommentRanges(text, position) ?? []) {
      if (!seen.has(range.pos)) add(range.pos, text.slice(range.pos, range.end));
      seen.add(range.pos);
    }
    for (const range of ts.getTrailingCommentRanges(text, position) ?? []) {
      if (!seen.has(range.pos)) add(range.pos, text.slice(range.pos, range.end));
      seen.add(range.pos);
    }
  };
  const visit = (node: ts.Node) => {
    addComments(node.getFullStart());
    addComments(node.end);
    if (
      (ts.isStringLiteralLike(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node)) &&
      /\w \w/.test(node.text) &&
      !isCode(node.text)
    )
      add(node.getStart(source), node.text);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return lines;
}
