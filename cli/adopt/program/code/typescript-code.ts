/** Prints values as TypeScript, in the form that code formatters produce. */
import { printString } from "./strings";

/** An expression, printed verbatim. */
export class Expression {
  constructor(readonly text: string) {}
}

/** Columns of a line, the default of code formatters. */
export const WIDTH = 80;

/**
 * Returns a value as source text: on one line if it fits, otherwise with one line for each part.
 * @param indent Columns before each line after the first.
 * @param usedColumns Columns of the first line that other text takes, before and after the value.
 */
export function printValue(value: unknown, indent = 0, usedColumns = indent): string {
  const flat = printInline(value);
  const fits = usedColumns + flat.length <= WIDTH && !mustWrap(value);
  if (fits || !isNested(value)) return fits ? flat : wrapCall(flat, indent);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((part) => printValue(part, indent + 2, indent + 3))
    : Object.entries(value).map(([key, part]) => printProperty(key, part, indent + 2));
  const lines = parts.map((part) => `${" ".repeat(indent + 2)}${part},\n`).join("");
  return `${isList ? "[" : "{"}\n${lines}${" ".repeat(indent)}${isList ? "]" : "}"}`;
}

function printProperty(name: string, value: unknown, indent: number): string {
  const key = printKey(name);
  const whole = `${key}: ${printValue(value, indent, indent + key.length + 3)}`;
  // A string that does not fit moves to the next line, unless the key is no longer than the indentation.
  const isLong = typeof value === "string" && indent + whole.length + 1 > WIDTH && key.length > 2;
  return isLong ? `${key}:\n${" ".repeat(indent + 2)}${printString(value)}` : whole;
}

/** Prints a call with one argument that does not fit on its line. */
function wrapCall(code: string, indent: number): string {
  const [, call, argument] = /^([\w.]+\()(".*")\)$/.exec(code) ?? [];
  return call === undefined ? code : `${call}\n${" ".repeat(indent + 2)}${argument},\n${" ".repeat(indent)})`;
}

function printInline(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return printString(value);
  if (Array.isArray(value)) return `[${value.map(printInline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(JSON.stringify(value));
  const parts = Object.entries(value).map(([key, part]) => `${printKey(key)}: ${printInline(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Expression) && Object.keys(value).length > 0;

/** Whether a value contains a list of several objects with several keys each, which is never printed on one line. */
function mustWrap(value: unknown): boolean {
  if (!isNested(value)) return false;
  const parts = Object.values(value);
  const isList = Array.isArray(value) && parts.length > 1;
  const isTable = isList && areSameType(parts) && parts.every((part) => isNested(part) && Object.keys(part).length > 1);
  return isTable || parts.some(mustWrap);
}

const areSameType = (parts: unknown[]) => new Set(parts.map((part) => Array.isArray(part))).size === 1;

/** Prints a key; `__proto__` without brackets would set the prototype. */
function printKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printString(name);
}
