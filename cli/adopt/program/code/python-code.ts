/** Prints values as Python, in the form that `black` and `ruff format` leave unchanged. */
import { printString } from "./strings";

/** An expression, printed verbatim. */
export class Expression {
  constructor(readonly text: string) {}
}

/** A call; positional arguments have no name. */
export class Call {
  constructor(
    readonly callee: string,
    readonly args: readonly (readonly [name: string | undefined, value: unknown])[],
  ) {}
}

/** Columns of a line, the default of Python's formatters. */
const WIDTH = 88;
const INDENT = 4;

/**
 * Returns a value as source text: on one line if it fits, otherwise with one line for each part. Each part ends with a
 * comma, which makes formatters keep the lines.
 * @param indent Columns before each line after the first.
 * @param usedColumns Columns of the first line that other text takes, before and after the value.
 */
export function printValue(value: unknown, indent = 0, usedColumns = indent): string {
  const parts = partsOf(value);
  const flat = printInline(value, parts);
  if (parts === undefined || parts.items.length === 0 || usedColumns + columnsOf(flat) <= WIDTH) return flat;
  const inner = indent + INDENT;
  const lines = parts.items.map(
    ([head, part]) => `${" ".repeat(inner)}${head}${printValue(part, inner, inner + columnsOf(head) + 1)},\n`,
  );
  return `${parts.open}\n${lines.join("")}${" ".repeat(indent)}${parts.close}`;
}

/** A value with parts: what precedes each part on its line, and the part. */
interface Parts {
  open: string;
  close: string;
  items: (readonly [head: string, part: unknown])[];
}

function partsOf(value: unknown): Parts | undefined {
  if (value instanceof Expression || typeof value !== "object" || value === null) return undefined;
  if (value instanceof Call) {
    const items = value.args.map(([name, part]) => [name === undefined ? "" : `${name}=`, part] as const);
    return { open: `${value.callee}(`, close: ")", items };
  }
  if (Array.isArray(value)) return { open: "[", close: "]", items: value.map((part) => ["", part] as const) };
  const items = Object.entries(value).map(([key, part]) => [`${printText(key)}: `, part] as const);
  return { open: "{", close: "}", items };
}

function printInline(value: unknown, parts = partsOf(value)): string {
  if (parts) return parts.open + parts.items.map(([head, part]) => head + printInline(part)).join(", ") + parts.close;
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return printText(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value).replace("e+", "e");
}

const printText = (text: string) => printString(text.toWellFormed());

/** Counts columns as formatters do at most: a character outside of ASCII may take two. */
const columnsOf = (text: string) => text.length + text.replace(/[\u0020-\u007e]/g, "").length;
