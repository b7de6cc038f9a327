/**
 * Draws text as SVG: a terminal with its colors, and what other pictures need. A picture has its own background, and
 * the colors of the page that shows it: browsers apply the color scheme of a page to its pictures.
 */

export const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
const SANS = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
/** The width of a character of a monospace font, relative to its size. */
const MONO_WIDTH = 0.602;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `textLength` makes the text as wide as computed here, whatever font the reader has. */
export function textAt({ x, y, width }: { x: number; y: number; width: number }, text: string, attributes: string) {
  if (text.trim() === "") return "";
  const length = `textLength="${width.toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x.toFixed(1)}" y="${y}" ${length} ${attributes} xml:space="preserve">${escapeXml(text)}</text>`;
}

/** Pictures have a second form for screens of phones, which is this wide. Pixels. */
export const NARROW = 400;

/** Colors of text and shapes on light and on dark pages, by class. */
const THEME: Record<string, [light: string, dark: string]> = {
  text: ["#1f2328", "#f0f6fc"],
  muted: ["#59636e", "#9198a1"],
  red: ["#cf222e", "#f85149"],
  border: ["#d1d9e0", "#3d444d"],
  code: ["#eff1f3", "#2a313c"],
  header: ["#f6f8fa", "#151b23"],
  paper: ["#ffffff", "#0d1117"],
};

/** A style sheet with a class for each color, and `line-` for lines in it. */
function themeStyle(): string {
  const rules = (index: 0 | 1) =>
    Object.entries(THEME).map(
      ([name, colors]) => `.${name}{fill:${colors[index]}}.line-${name}{stroke:${colors[index]}}`,
    );
  return `<style>${rules(0).join("")}@media (prefers-color-scheme:dark){${rules(1).join("")}}</style>`;
}

/** A picture in the colors of the page that shows it. */
export const themedSvg = (width: number, height: number, label: string, parts: readonly string[]) =>
  svg(width, height, label, [themeStyle(), `<g font-family="${SANS}">`, ...parts, "</g>"]);

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

/** Widths of characters of a sans-serif font, in thousandths of its size; all others have 556. */
const WIDTHS = Object.entries({
  ...{ 222: "ijl'", 278: " !,./:;I[]ft", 333: "()-`r", 500: "Jckxyzsv", 584: "+<=>~" },
  ...{ 611: "FTZ", 667: "ABEKPSVXY&", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 944: "W" },
}).flatMap(([width, characters]) => [...characters].map((character) => [character, Number(width)]));
const widthOf: Record<string, number> = Object.fromEntries(WIDTHS);

/** A part of a comment. */
export interface Word {
  text: string;
  code?: boolean;
  bold?: boolean;
}

export function measure({ text, code, bold }: Word, size: number) {
  if (code) return text.length * size * 0.85 * MONO_WIDTH;
  const sum = [...text].reduce((total, character) => total + (widthOf[character] ?? 556), 0);
  return (sum / 1000) * size * (bold ? 1.06 : 1);
}
