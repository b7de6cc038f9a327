/** Prints values as YAML in block style. Strings that YAML might read as something else are quoted as in JSON. */
import { escapeUnprintable } from "../../../shared/json";

/** Text that is printed as it is: a valid plain scalar. */
export class PlainText {
  constructor(readonly text: string) {}
}

export const printYaml = (value: object): string => `${linesOf(value).join("\n")}\n`;

/** Returns the lines of a list or map that is not empty. */
function linesOf(value: object): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => prefixed("- ", item));
  return Object.entries(value).flatMap(([name, part]) => {
    const key = printString(name);
    // A parser looks for the colon of a key in 1024 characters only.
    if (key.length > 1000) return [`? ${key}`, ...prefixed(": ", part)];
    return isNested(part) ? [`${key}:`, ...linesOf(part).map((line) => `  ${line}`)] : [`${key}: ${printScalar(part)}`];
  });
}

function prefixed(prefix: string, value: unknown): string[] {
  const lines = isNested(value) ? linesOf(value) : [printScalar(value)];
  return lines.map((line, index) => (index === 0 ? prefix : "  ") + line);
}

function printScalar(value: unknown): string {
  if (value instanceof PlainText) return value.text;
  // Empty lists and maps are the same in JSON.
  return typeof value === "string" ? printString(value) : JSON.stringify(value);
}

const isNested = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof PlainText) && Object.keys(value).length > 0;

/** Begins with a letter, so that it is neither a number nor a date; a colon or hyphen inside is part of the text. */
const PLAIN = /^[A-Za-z_](?:[\w./@+-]|:(?=[\w./]))*$/;
/** Words that YAML 1.1 reads as booleans or null, and exponents, which some parsers read as numbers. */
const KEYWORD = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?\d+)$/i;

const printString = (text: string): string =>
  PLAIN.test(text) && !KEYWORD.test(text) ? text : escapeUnprintable(JSON.stringify(text.toWellFormed()));
