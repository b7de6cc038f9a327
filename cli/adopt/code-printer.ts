/** Prints values as TypeScript, in the form that code formatters produce. */

/** An expression, printed verbatim. */
export class Code {
  constructor(readonly text: string) {}
}

/** Columns of a line, the default of code formatters. */
export const WIDTH = 80;

/**
 * Returns a value as source text: on one line if it fits, otherwise with one line for each part.
 * @param indent Columns before each line after the first.
 * @param taken Columns of the first line that other text takes, before and after the value.
 */
export function literal(value: unknown, indent = 0, taken = indent): string {
  const flat = flatten(value);
  const fits = taken + flat.length <= WIDTH && !isTall(value);
  if (fits || !isNested(value)) return fits ? flat : broken(flat, indent);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((part) => literal(part, indent + 2, indent + 3))
    : Object.entries(value).map(([key, part]) => property(key, part, indent + 2));
  const lines = parts.map((part) => `${" ".repeat(indent + 2)}${part},\n`).join("");
  return `${isList ? "[" : "{"}\n${lines}${" ".repeat(indent)}${isList ? "]" : "}"}`;
}

function property(name: string, value: unknown, indent: number): string {
  const key = keyOf(name);
  const whole = `${key}: ${literal(value, indent, indent + key.length + 3)}`;
  // A string that does not fit moves to the next line, unless the key is no longer than the indentation.
  const isLong = typeof value === "string" && indent + whole.length + 1 > WIDTH && key.length > 2;
  return isLong ? `${key}:\n${" ".repeat(indent + 2)}${quoted(value)}` : whole;
}

/** Prints a call with one argument that does not fit on its line. */
function broken(code: string, indent: number): string {
  const [, call, argument] = /^([\w.]+\()(".*")\)$/.exec(code) ?? [];
  return call === undefined ? code : `${call}\n${" ".repeat(indent + 2)}${argument},\n${" ".repeat(indent)})`;
}

function flatten(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flatten).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(JSON.stringify(value));
  const parts = Object.entries(value).map(([key, part]) => `${keyOf(key)}: ${flatten(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Code) && Object.keys(value).length > 0;

/** Whether a value contains a list of several objects with several keys each, which is never printed on one line. */
function isTall(value: unknown): boolean {
  if (!isNested(value)) return false;
  const parts = Object.values(value);
  const isList = Array.isArray(value) && parts.length > 1;
  const isTable = isList && sameForm(parts) && parts.every((part) => isNested(part) && Object.keys(part).length > 1);
  return isTable || parts.some(isTall);
}

const sameForm = (parts: unknown[]) => new Set(parts.map((part) => Array.isArray(part))).size === 1;

/** Prints a key; `__proto__` without brackets would set the prototype. */
function keyOf(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** Prints a string with the quotes that need fewer escapes, as formatters do. */
export function quoted(text: string): string {
  const escaped = JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, unicode);
  const count = (quote: string) => text.split(quote).length - 1;
  if (count('"') <= count("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

const unicode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
