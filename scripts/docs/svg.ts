/**
 * Draws text as SVG: a terminal with its colors, and a comment in Markdown. Both have their own background, so that
 * they are readable on light and dark pages.
 */

const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace";
export const SANS = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
/** The width of a character of a monospace font, relative to its size. */
const MONO_WIDTH = 0.602;

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `textLength` makes the text as wide as computed here, whatever font the reader has. */
export function textAt({ x, y, width }: { x: number; y: number; width: number }, text: string, attributes: string) {
  if (text.trim() === "") return "";
  const length = `textLength="${width.toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x.toFixed(1)}" y="${y}" ${length} ${attributes} xml:space="preserve">${escapeXml(text)}</text>`;
}

export function svg(width: number, height: number, label: string, parts: readonly string[]) {
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

/** @param label What the picture shows, for readers who cannot see it. @param output With escape sequences. */
export function terminalSvg(label: string, output: string): string {
  const [size, lineHeight, margin] = [13, 19, 18];
  const lines = output.trimEnd().split("\n").map(styled);
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
interface Word {
  text: string;
  code?: boolean;
  bold?: boolean;
}

export function measure({ text, code, bold }: Word, size: number) {
  if (code) return text.length * size * 0.85 * MONO_WIDTH;
  const sum = [...text].reduce((total, character) => total + (widthOf[character] ?? 556), 0);
  return (sum / 1000) * size * (bold ? 1.06 : 1);
}

/** `**bold**` and `code` -> words of one style each. */
function words(markdown: string): Word[] {
  const pieces = markdown.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter(Boolean);
  return pieces.flatMap((piece): Word[] => {
    if (piece.startsWith("`")) return [{ text: piece.slice(1, -1), code: true }];
    const bold = piece.startsWith("**");
    const text = bold ? piece.slice(2, -2) : piece;
    return text.split(/(?<= )/).map((word) => ({ text: word, bold }));
  });
}

interface Layout {
  x: number;
  y: number;
  right: number;
  size?: number;
  bold?: boolean;
  color?: string;
}

/** Draws one paragraph from (x, y), wrapped at `right`. @returns the parts, and where the next paragraph begins */
function paragraph(markdown: string, { x, y, right, size = 14, bold = false, color = "#1f2328" }: Layout) {
  const parts: string[] = [];
  let [left, baseline] = [x, y + size];
  for (const word of words(markdown)) {
    const style = { ...word, bold: word.bold || bold };
    const width = measure(style, size);
    const space = style.code ? 8 : 0;
    if (left + width + space > right && left > x) [left, baseline] = [x, baseline + size * 1.5];
    if (style.code) {
      const chip =
        `x="${left.toFixed(1)}" y="${(baseline - size * 0.92).toFixed(1)}" width="${(width + 8).toFixed(1)}" ` +
        `height="${(size * 1.28).toFixed(1)}"`;
      parts.push(`<rect ${chip} rx="4" fill="#eff1f3"/>`);
      parts.push(
        textAt(
          { x: left + 4, y: baseline, width },
          style.text,
          `font-family="${MONO}" font-size="${size * 0.85}" fill="${color}"`,
        ),
      );
    } else {
      const weight = style.bold ? ' font-weight="600"' : "";
      parts.push(textAt({ x: left, y: baseline, width }, style.text, `font-size="${size}" fill="${color}"${weight}`));
    }
    left += width + space;
  }
  return { parts, y: baseline + size * 0.5 };
}

/** @param label What the picture shows. @param markdown What `agentgraph review` prints; its details stay folded. */
export function commentSvg(label: string, markdown: string): string {
  const [width, margin] = [860, 20];
  const right = width - margin;
  const parts: string[] = [];
  let y = 58;
  let alert: number | undefined;
  const draw = (text: string, options: Partial<Layout> = {}) => {
    const drawn = paragraph(text, { x: margin, y, right, ...options });
    parts.push(...drawn.parts);
    y = drawn.y + 6;
  };
  const closeAlert = () => {
    if (alert !== undefined)
      parts.push(`<rect x="${margin}" y="${alert}" width="4" height="${(y - alert).toFixed(1)}" fill="#cf222e"/>`);
    if (alert !== undefined) y += 12;
    alert = undefined;
  };
  const bullet = (text: string, x: number) => {
    parts.push(`<circle cx="${x - 10}" cy="${(y + 10).toFixed(1)}" r="2.5" fill="#1f2328"/>`);
    draw(text, { x });
  };
  const visible = markdown.slice(0, markdown.indexOf("<details>"));
  const [summary = ""] = /(?<=<summary>)[^<]+/.exec(markdown) ?? [];
  for (const line of visible.split("\n")) {
    if (!line.startsWith(">")) closeAlert();
    const quoted = line.replace(/^> ?/, "");
    if (line === "" || quoted === "" || line.startsWith("<!--")) continue;
    if (quoted === "[!CAUTION]") {
      alert = y;
      draw("Caution", { x: margin + 20, color: "#cf222e", bold: true });
    } else if (line.startsWith("### ")) draw(line.slice(4), { size: 18, bold: true });
    else if (quoted.startsWith("- ")) bullet(quoted.slice(2), alert === undefined ? margin + 24 : margin + 44);
    else draw(quoted, { x: alert === undefined ? margin : margin + 20 });
  }
  closeAlert();
  y += 6;
  parts.push(`<path d="M${margin} ${y + 4} l9 5.5 l-9 5.5 z" fill="#1f2328"/>`);
  draw(summary, { x: margin + 18 });
  const height = Math.ceil(y + 14);
  const frame = `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="#d1d9e0"/>`;
  const header =
    `<path d="M0.5 44 V8.5 a8 8 0 0 1 8 -8 H${width - 8.5} a8 8 0 0 1 8 8 V44 z" fill="#f6f8fa" ` +
    `stroke="#d1d9e0"/>`;
  const author = paragraph("**agentgraph review** commented on this pull request", {
    x: margin,
    y: 15,
    right,
    color: "#59636e",
  });
  return svg(width, height, label, [`<g font-family="${SANS}">`, frame, header, ...author.parts, ...parts, "</g>"]);
}
