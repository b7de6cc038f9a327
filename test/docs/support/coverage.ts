/**
 * Finds the tests that prove the facts of docs/platform-api/: a comment directly above a test declares which, such as
 * `// @covers 2A.Deployment.name, 3.1`. Node runs this file as it is for `npm run coverage`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import type { Fact } from "../../../scripts/docs/platform-api";

const FOLDERS = ["test", "emulator/test"];
const NOTE = "@covers ";

/** The tests that prove each fact, by its ID: the file, and the full name as Jest prints it. */
export type Proofs = ReadonlyMap<string, readonly string[]>;

export function readProofs(root: string): Proofs {
  const proofs = new Map<string, string[]>();
  for (const file of FOLDERS.flatMap((folder) => testFiles(root, folder))) {
    for (const { ids, title } of notesIn(file, readFileSync(join(root, file), "utf8"))) {
      for (const id of ids) proofs.set(id, [...(proofs.get(id) ?? []), `${file} › ${title}`]);
    }
  }
  return proofs;
}

/** Returns the tests that prove a fact. The emulator alone does not make something a fact. */
export const testsOf = ({ id, certainty }: Fact, proofs: Proofs): readonly string[] =>
  (proofs.get(id) ?? []).filter((proof) => SOURCED.includes(certainty) || !proof.startsWith("emulator/"));

/** Certainties with a source that the emulator is compared with. */
const SOURCED: readonly string[] = ["described", "recorded"];

/** Returns the described facts without a proof, those that occur twice, and the proofs of unknown facts. */
export function problemsOf(facts: readonly Fact[], proofs: Proofs): string[] {
  const ids = facts.map(({ id }) => id);
  return [
    ...facts.filter(({ id }, index) => ids.indexOf(id) < index).map(({ id, file }) => `${id}: ${file} lists it twice.`),
    ...facts
      .filter(({ id, reason, certainty }) => certainty === "described" && reason === undefined && !proofs.has(id))
      .map(({ id }) => `${id}: no test has the comment "${NOTE}${id}".`),
    ...facts
      .filter(({ id, reason }) => reason !== undefined && proofs.has(id))
      .map(({ id, file }) => `${id}: ${file} says that no test can prove it, and a test does.`),
    ...[...proofs]
      .filter(([id]) => !ids.includes(id))
      .map(([id, [proof]]) => `${id}: no page contains this fact, which a test covers: ${proof}`),
  ];
}

function testFiles(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"));
  return files.map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/")).sort();
}

/** Returns the tests in a file that cover facts. */
function notesIn(file: string, text: string): { ids: string[]; title: string }[] {
  if (!text.includes(NOTE)) return [];
  const notes: { ids: string[]; title: string }[] = [];
  const visit = (node: ts.Node, groups: readonly string[]): void => {
    const [kind, title] = (ts.isCallExpression(node) && called(node)) || [];
    const names = title === undefined ? groups : [...groups, title];
    const ids = title === undefined || kind === "describe" ? [] : idsAbove(text, node);
    if (ids.length > 0) notes.push({ ids, title: names.join(" ") });
    ts.forEachChild(node, (child) => visit(child, names));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest), []);
  return notes;
}

function idsAbove(text: string, node: ts.Node): string[] {
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
  return comments.flatMap(({ pos, end }) => {
    const [, ids] = text.slice(pos, end).split(NOTE);
    return ids === undefined ? [] : ids.split(/, (?=\d)/).map((id) => id.trim());
  });
}

/** Returns the function of Jest that is called, and its title, also for `test.each(table)("title", …)`. */
function called({ expression, arguments: [title] }: ts.CallExpression): [string, string] | undefined {
  let callee: ts.Expression = ts.isCallExpression(expression) ? expression.expression : expression;
  while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !["describe", "it", "test"].includes(callee.text)) return undefined;
  return title && ts.isStringLiteralLike(title) ? [callee.text, title.text] : undefined;
}
