/** Prepares text for output: without secrets, and what a terminal or a pipeline's log would interpret. */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: these characters are matched on purpose.
import { type Redaction, redactionOf } from "./redact";

/** Characters of the longest message. */
const MAX_LENGTH = 16_000;

/** Redacts and sanitizes a text without truncating it. */
export function cleanText(text: string, secrets: Iterable<string> | Redaction = []): string {
  const redact = typeof secrets === "function" ? secrets : redactionOf(secrets);
  // An escape sequence may interrupt a secret, and sanitizing may alter one: redact before and after.
  const redacted = redact(text);
  const sanitized = sanitize(redacted);
  return sanitized === redacted ? redacted : redact(sanitized);
}

/** Returns what cleans each of these texts: redaction of all at once takes as long as of one, and few need any. */
export function cleanerOf(texts: readonly string[], clean: (text: string) => string): (text: string) => string {
  const joined = texts.join("\n");
  return clean(joined) === joined ? (text) => text : clean;
}

/** Redacts, sanitizes and truncates the text of a status line or an error. */
export function cleanMessage(text: string, secrets: Iterable<string> | Redaction = []): string {
  const cleaned = cleanText(text, secrets);
  // Truncated last: redaction would not recognize half a secret.
  return cleaned.length > MAX_LENGTH
    ? `${cleaned.slice(0, MAX_LENGTH)}… (${cleaned.length - MAX_LENGTH} more characters)`
    : cleaned;
}

/** Returns a copy of the error with another message: several calls may share one error. */
export function withMessage<T extends Error>(error: T, message: string, cleaned: (text: string) => string): T {
  const property = (value: string) => ({ value, writable: true, configurable: true, enumerable: false });
  return Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    message: property(cleaned(message)),
    stack: property(cleaned(error.stack ?? "")),
  });
}

const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join("|"), "gu");

/** Complete terminal escape sequences for colors, cursor movement, links and titles (ECMA-48). */
const SEQUENCES = anyOf(
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/,
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/,
  /\u001b[ -/]*[0-Z\\^-~]/,
);

/** Line breaks in all forms; a lone carriage return would overwrite the preceding text. */
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;

/** Control characters except tab and line feed, bidirectional formatting, and zero-width characters. */
const INVISIBLE = anyOf(
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c]/,
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/,
  /[\u{e0000}-\u{e007f}]/u,
);

/** Commands of Azure Pipelines, of older GitHub runners and of TeamCity, anywhere in a line. */
const MARKED_COMMAND = /##(?=\[|vso\[|teamcity\[)/gi;
/** Commands of GitHub Actions at the beginning of a line, or of a word that wrapping may move there. */
const COLON_COMMAND = /(^|\s)::(?=[a-z])/gi;
/** Color directives of Pulumi's display, which panics on unknown ones. */
const DIRECTIVE = /<(?=\{%)/g;

const escaped = (char: string) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/**
 * Removes what would be interpreted instead of displayed: by a terminal, by the log of a pipeline, by Pulumi's display.
 * Messages of servers and builds may contain any of it. Escape sequences are removed, other invisible characters shown
 * as `\u202e`, and commands broken with a space.
 */
export function sanitize(text: string): string {
  return text
    .toWellFormed()
    .replace(SEQUENCES, "")
    .replace(LINE_BREAKS, "\n")
    .replace(INVISIBLE, escaped)
    .replace(MARKED_COMMAND, "# #")
    .replace(DIRECTIVE, "< ")
    .split("\n")
    .map((line) => (line.indexOf("::") === line.lastIndexOf("::") ? line : line.replace(COLON_COMMAND, "$1: :")))
    .join("\n");
}
