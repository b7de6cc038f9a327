/**
 * Text of others in Markdown. What a program names, a fork may have named: in a comment it must be read and do nothing,
 * neither mention somebody, nor link, nor be HTML. Inside a code span nothing of it works, so everything that is not
 * plainly a word of a sentence stands in one.
 */

/** Characters of a value that are shown. */
const LONGEST = 120;
/** Line breaks and control characters, and those that turn the direction of a text. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** On one line, and not endless. */
export function line(text: string, longest = LONGEST): string {
  const one = inert(text.replace(UNSEEN, " ").trim().toWellFormed());
  const characters = [...one.slice(0, longest * 2)];
  return characters.length <= longest ? one : `${characters.slice(0, longest - 1).join("")}…`;
}

/** Without the form of a workflow command: pipelines obey `::name::` at the beginning of a line, `##[name]` and `##vso[` anywhere. */
const inert = (text: string) => text.replace(/^(\s*):(?=:)/, "$1: ").replace(/##(?=\[|vso\[)/g, "# #");

/** A code span, however many backticks are in it. */
export function code(text: string, longest = LONGEST): string {
  const one = line(text, longest) || " ";
  const fence = fenceFor(one, 1);
  const space = /^`|`$/.test(one) ? " " : "";
  return `${fence}${space}${one}${space}${fence}`;
}

/** A block of code; every line of it stays one. */
export function block(lines: readonly string[], language = ""): string {
  const plain = lines.map((one) => one.replace(/[^\S\t ]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").toWellFormed());
  const text = plain.map(inert).join("\n");
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

const fenceFor = (text: string, least: number) =>
  "`".repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));

/** Ordinary words and numbers, with what stands around them in a sentence. */
const WORD = /^\(?(?:[A-Z]?[a-z]+(?:['’-][a-z]+)*|[A-Z]+|\d{1,6})[,;:.)]*$|^[(),;:.·…-]+$/;

/** A sentence of ours or of the provider: its words stay, and whatever is none becomes code. */
export function sentence(text: string, longest = 600): string {
  const words = line(text, longest).match(TOKENS) ?? [];
  return words.map((word) => (WORD.test(word) ? word : coded(word))).join(" ");
}

/** What stands between spaces; what is quoted as code already may hold some. */
const TOKENS = /(?<=^|\s)\(?`[^`]+`[,;:.)]*(?=\s|$)|\S+/g;

function coded(word: string): string {
  const [, begin = "", quoted, core = quoted ?? word, end = ""] =
    /^(\(?)(?:`([^`]+)`|(.*?))([,;:.)]*)$/.exec(word) ?? [];
  return core === "" ? code(word) : begin + code(core) + end;
}
