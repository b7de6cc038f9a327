/**
 * Untrusted text in Markdown. A fork may have chosen the names in a program, so in a comment they must not mention
 * people, link or contain HTML. A code span disables all of that: everything that is not plainly a word is put in one.
 */

/** Characters of a value that are shown by default. */
const MAX_LENGTH = 120;
/** Line breaks, control characters, and characters that change the direction of text. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Puts text on one line and truncates it to this many characters. */
export function singleLine(text: string, maxLength = MAX_LENGTH): string {
  const flat = disableWorkflowCommands(text.replace(INVISIBLE, " ").trim().toWellFormed());
  const characters = [...flat.slice(0, maxLength * 2)];
  return characters.length <= maxLength ? flat : `${characters.slice(0, maxLength - 1).join("")}…`;
}

/**
 * Disables workflow commands: pipelines execute `::name::` at the start of a line, `##[name]` and `##vso[` anywhere.
 */
const disableWorkflowCommands = (text: string) =>
  text.replace(/^(\s*):(?=:)/, "$1: ").replace(/##(?=\[|vso\[)/g, "# #");

/** Formats text as a code span, however many backticks it contains. */
export function codeSpan(text: string, maxLength = MAX_LENGTH): string {
  const flat = singleLine(text, maxLength) || " ";
  const fence = fenceFor(flat, 1);
  const space = /^`|`$/.test(flat) ? " " : "";
  return `${fence}${space}${flat}${space}${fence}`;
}

/** Formats lines as a code block; a line break inside a line becomes a space. */
export function codeBlock(lines: readonly string[], language = ""): string {
  const plain = lines.map((line) => line.replace(/[^\S\t ]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").toWellFormed());
  const text = plain.map(disableWorkflowCommands).join("\n");
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

const fenceFor = (text: string, least: number) =>
  "`".repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));

/** Ordinary words and numbers, with their punctuation. */
const WORD = /^\(?(?:[A-Z]?[a-z]+(?:['’-][a-z]+)*|[A-Z]+|\d{1,6})[,;:.)]*$|^[(),;:.·…-]+$/;

/** Formats a sentence of this package: words stay as they are, and everything else becomes a code span. */
export function formatSentence(text: string, maxLength = 600): string {
  const words = singleLine(text, maxLength).match(TOKENS) ?? [];
  return words.map((word) => (WORD.test(word) ? word : wordAsCode(word))).join(" ");
}

/** Text between spaces; an existing code span may contain some. */
const TOKENS = /(?<=^|\s)\(?`[^`]+`[,;:.)]*(?=\s|$)|\S+/g;

function wordAsCode(word: string): string {
  const [, begin = "", quoted, core = quoted ?? word, end = ""] =
    /^(\(?)(?:`([^`]+)`|(.*?))([,;:.)]*)$/.exec(word) ?? [];
  return core === "" ? codeSpan(word) : begin + codeSpan(core) + end;
}
