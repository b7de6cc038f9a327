/**
 * Takes out of a text what acts instead of being read: in a terminal, in the log of a pipeline, in the display of Pulumi.
 * What a server or a build says may hold all of it.
 */

/** Colors, cursor movements, links and titles of terminals (ECMA-48), whole. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-Z\\^-~]/g;

/** Line breaks in all their forms; a lone carriage return would let a text overwrite the one before it. */
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;

/** Control characters but tab and line break, marks of the direction of text, and characters without any width. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Commands of Azure Pipelines, of older GitHub runners and of TeamCity, anywhere in a line. */
const MARKED_COMMAND = /##(?=\[|vso\[|teamcity\[)/gi;
/** Commands of GitHub Actions: they begin a line, or what will begin one when the text is wrapped. */
const COLON_COMMAND = /(^|\s)::(?=[a-z])/gi;
/** Colors of Pulumi's own display, which ends with a panic at one that it does not know. */
const DIRECTIVE = /<(?=\{%)/g;

const escaped = (char: string) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;

/** Takes escape sequences out, shows other invisible characters as `\u202e`, and breaks commands with a space. */
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
