/** Wraps text output to the width of the terminal. */

/** Columns if the output is not a terminal. */
const DEFAULT_WIDTH = 80;
/** Columns below which wrapped text is harder to read than long lines. */
const MIN_WIDTH = 40;

/** Returns the number of columns of a stream: those of its terminal, otherwise 80. */
export const columnsOf = (stream: { columns?: number | undefined }): number =>
  Math.max(stream.columns || DEFAULT_WIDTH, MIN_WIDTH);

/** A word with the spaces before it. A code span stays on one line, so that a command can be copied. */
const WORDS = /\s*(?:[^\s`]*`[^`]+`\S*|\S+)/g;

/** Wraps one line of text between words. A word that is longer than the width stays whole. */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.match(WORDS) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length <= width) lines[lines.length - 1] = last + word;
    else lines.push(word.trimStart());
  }
  return lines;
}

/** Wraps every line of a text; further lines of a paragraph are indented like its text, behind a list marker. */
export function wrapText(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => {
      const [indent = ""] = /^ *(?:(?:-|->|\d+\.) +)?/.exec(line) ?? [];
      const [first = "", ...more] = wrapLine(line.slice(indent.length), width - indent.length);
      return [indent + first, ...more.map((part) => " ".repeat(indent.length) + part)].join("\n");
    })
    .join("\n");
}
