import { inspect } from "node:util";

/**
 * Control characters, and characters that change the order of text or are invisible. Joiners stay, because emoji and
 * some scripts need them.
 */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Returns a text in which nothing can control a terminal or forge a line: "\u001b" stands for an escape character. */
export function printable(text: string): string {
  return text.replace(unprintable, (letter) => (letter === "\t" ? letter : escapeOf(letter)));
}

/** Does the same, but keeps line breaks. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Returns a copy of a value from JSON whose texts are printable. */
export function printableValue<T>(value: T): T {
  if (typeof value === "string") return printable(value) as T;
  if (Array.isArray(value)) return value.map(printableValue) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [printable(key), printableValue(item)])) as T;
}

/** Returns JSON that is printable and means the same. */
export function printableJson(value: unknown, indent?: number): string {
  return printableLines(JSON.stringify(value, null, indent));
}

/** Prints an error that is not the user's. Its text may contain what a request sent. */
export function logError(error: unknown): void {
  console.error(printableLines(typeof error === "string" ? error : inspect(error)));
}

function escapeOf(letter: string): string {
  const short = { "\n": "\\n", "\r": "\\r" }[letter];
  if (short !== undefined) return short;
  return [...Array(letter.length).keys()]
    .map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}
