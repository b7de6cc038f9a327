/** Draws a terminal with its colors as SVG. */

const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
/** The width of a character of a monospace font, relative to its size. */
const MONO_WIDTH = 0.602;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `textLength` makes the text as wide as computed here, whatever font the reader has. */
function textAt({ x, y, width }: { x: number; y: number; width: number }, text: string, attributes: string) {
  if (text.trim() === "") return "";
  const length = `textLength="${width.toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x.toFixed(1)}" y="${y}" ${length} ${attributes} xml:space="preserve">${escapeXml(text)}</text>`;
}

function svg(width: number, height: number, label: string, parts: readonly string[]) {
  const head =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ` +
    `${height}" role="img" aria-label="${escapeXml(label)}">`;
  return `${[head, ...parts.filter(Boolean), "</svg>"].join("\n")}\n`;
}

/** The 256-color codes that Pulumi prints. */
const COLORS: Record<string, string> = {
  2: "#7ee787",
  3: "#e3b341",
  9: "#ff7b72",
  10: "#7ee787",
  12: "#79c0ff",
  13: "#d2a8ff",
  1: "#ff7b72",
};

/** A part of a line in a terminal. */
interface Styled {
  text: string;
  bold?: boolean;
  color?: string;
}

/** A line with escape sequences -> pieces of one style each. */
function styled(line: string): Styled[] {
  const pieces: Styled[] = [];
  let style: Omit<Styled, "text"> = {};
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
  for (const [, codes = "", text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text) pieces.push({ text, ...style });
    else if (codes === "0" || codes === "") style = {};
    else if (codes === "1") style = { ...style, bold: true };
    else style = { ...style, color: COLORS[codes.split(";").at(-1) ?? ""] };
  }
  return pieces;
}

/** Breaks a line between words where it would be longer than `columns`. */
function wrapped(line: Styled[], columns: number): Styled[][] {
  const whole = line.map(({ text }) => text).join("");
  if (whole.length <= columns) return [line];
  const indent = /^ */.exec(whole)?.[0] ?? "";
  const lines: Styled[][] = [[]];
  let length = 0;
  for (const { text, ...style } of line)
    for (const word of text.split(/(?<= )(?=[^ ])/)) {
      const isTooLong = length + word.trimEnd().length > columns && length > indent.length;
      const margin = isTooLong ? `${indent}  ` : "";
      if (isTooLong) {
        lines.push([]);
        length = 0;
      }
      lines.at(-1)?.push({ text: margin + word, ...style });
      length += margin.length + word.length;
    }
  return lines;
}

/**
 * @param label What the picture shows, for readers who cannot see it.
 * @param output With escape sequences.
 * @param columnsAtMost The longest line; longer ones are broken.
 */
export function terminalSvg(label: string, output: string, columnsAtMost = Number.POSITIVE_INFINITY): string {
  const [size, lineHeight, margin] = [13, 19, 18];
  const lines = output
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapped(styled(line), columnsAtMost));
  const columns = Math.max(...lines.map((pieces) => pieces.reduce((sum, { text }) => sum + text.length, 0)));
  const charWidth = size * MONO_WIDTH;
  const parts = lines.flatMap((pieces, index) => {
    let column = 0;
    return pieces.map(({ text, color = "#e6edf3", bold }) => {
      const word = text.trim();
      const x = margin + (column + text.indexOf(word)) * charWidth;
      column += text.length;
      const y = margin + (index + 1) * lineHeight - 5;
      return textAt(
        { x, y, width: word.length * charWidth },
        word,
        `fill="${color}"${bold ? ' font-weight="bold"' : ""}`,
      );
    });
  });
  const width = Math.ceil(2 * margin + columns * charWidth);
  const height = 2 * margin + lines.length * lineHeight;
  const background = `<rect width="${width}" height="${height}" rx="8" fill="#161b22" stroke="#30363d"/>`;
  return svg(width, height, label, [background, `<g font-family="${MONO}" font-size="${size}">`, ...parts, "</g>"]);
}
