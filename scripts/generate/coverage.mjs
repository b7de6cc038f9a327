/**
 * Updates docs/coverage.md: the page lists each statement of the interface, and tests declare which statements they prove
 * in a comment directly above: `// @covers 2A.Deployment.name, 3.1`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "../setup/paths.mjs";

export const PAGE = "docs/coverage.md";
const FOLDERS = ["test", "emulator/test"];
const NOTE = "@covers ";

/** Returns the text of the page. @throws if a test covers an unknown statement, or a statement has no test. */
export function coveragePage() {
  const proofs = proofsById();
  const page = readFileSync(join(ROOT, PAGE), "utf8");
  const missing = [];
  const lines = page.split("\n").map((line) => {
    const [, id, holds, proof] = /^\| `([^`]+)` \| (.+) \| (.+) \|$/.exec(line) ?? [];
    if (id === undefined || proof.startsWith("none: ")) return line;
    const tests = proofs.get(id);
    proofs.delete(id);
    if (!tests) missing.push(id);
    return `| \`${id}\` | ${holds} | ${(tests ?? []).join("<br>")} |`;
  });
  const unknown = [...proofs].map(([id, [proof]]) => `${id} (${proof})`);
  if (missing.length > 0) throw new Error(`No test has a comment "${NOTE}…" for: ${missing.join(", ")}`);
  if (unknown.length > 0) throw new Error(`${PAGE} has no row for statements that tests cover: ${unknown.join(", ")}`);
  return lines.join("\n");
}

function proofsById() {
  const proofs = new Map();
  for (const file of FOLDERS.flatMap(testFiles)) {
    for (const { ids, title } of notesIn(file)) {
      for (const id of ids) proofs.set(id, [...(proofs.get(id) ?? []), `\`${file}\` › "${title}"`]);
    }
  }
  return proofs;
}

function testFiles(folder) {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"));
  return files.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/")).sort();
}

/** Returns the tests in a file that cover statements, with their full names as Jest prints them. */
export function notesIn(file) {
  const text = readFileSync(join(ROOT, file), "utf8");
  if (!text.includes(NOTE)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const notes = [];
  const visit = (node, groups) => {
    const [kind, title] = (ts.isCallExpression(node) && called(node)) || [];
    const isGroup = kind === "describe";
    if (title !== undefined && !isGroup) {
      const ids = idsAbove(text, node);
      if (ids.length > 0) notes.push({ ids, title: [...groups, title].join(" ") });
    }
    const inner = title !== undefined && isGroup ? [...groups, title] : groups;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return notes;
}

function idsAbove(text, node) {
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return comments.flatMap(({ pos, end }) => {
    const [, ids] = text.slice(pos, end).split(NOTE);
    return ids === undefined ? [] : ids.split(/, (?=\d)/).map((id) => id.trim());
  });
}

/** Returns the function of Jest that is called, and its title, also for `test.each(table)("title", …)`. */
function called({ expression, arguments: [title] }) {
  let callee = ts.isCallExpression(expression) ? expression.expression : expression;
  while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !["describe", "it", "test"].includes(callee.text)) return undefined;
  return title && ts.isStringLiteralLike(title) ? [callee.text, title.text] : undefined;
}
