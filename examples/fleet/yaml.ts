// Reads YAML with a schema, and names the line of each problem.
import { RunError } from "@pulumi/pulumi";
import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";

/** @throws RunError that lists the problems of the text. Pulumi prints its message without a stack trace. */
export function parseYaml<T>(text: string, file: string, schema: z.ZodType<T>): T {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (path: PropertyKey[]) => lines.linePos(offsetOf(document, path)).line;
  const syntax = document.errors.map(
    ({ message, pos }) => `${file}:${lines.linePos(pos[0]).line}: ${firstLine(message)}`,
  );
  if (syntax.length > 0) throw new RunError(syntax.join("\n"));
  const { data, error } = schema.safeParse(document.toJS());
  if (!error) return data as T;
  const problems = error.issues.map((issue) => {
    const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
    const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
    return { line: lineOf(path), text: [issue.path.join("."), message].filter(Boolean).join(": ") };
  });
  const sorted = problems.sort((a, b) => a.line - b.line);
  throw new RunError(sorted.map(({ line, text }) => `${file}:${line}: ${text}`).join("\n"));
}

/** Returns where the last key of a path that exists begins. */
function offsetOf(document: Document, path: PropertyKey[]): number {
  let [node, offset]: [unknown, number] = [document.contents, 0];
  for (const key of path) {
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
    if (!pair || !isScalar(pair.key)) break;
    [node, offset] = [pair.value, pair.key.range?.[0] ?? offset];
  }
  return offset;
}

const firstLine = (text: string) => text.split(/ at line |\n/)[0];
