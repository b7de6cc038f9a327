/** Draws a comment in Markdown as SVG, as it looks on a pull request. */
import { MONO, measure, textAt, themedSvg, type Word } from "./svg.ts";

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
function paragraph(markdown: string, { x, y, right, size = 14, bold = false, color = "text" }: Layout) {
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
      parts.push(`<rect ${chip} rx="4" class="code"/>`);
      parts.push(
        textAt(
          { x: left + 4, y: baseline, width },
          style.text,
          `font-family="${MONO}" font-size="${(size * 0.85).toFixed(1)}" class="${color}"`,
        ),
      );
    } else {
      const weight = style.bold ? ' font-weight="600"' : "";
      parts.push(textAt({ x: left, y: baseline, width }, style.text, `font-size="${size}" class="${color}"${weight}`));
    }
    left += width + space;
  }
  return { parts, y: baseline + size * 0.5 };
}

/** @param label What the picture shows. @param markdown What `agentgraph review` prints; its details stay folded. */
export function commentSvg(label: string, markdown: string, width = 860): string {
  const margin = 20;
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
      parts.push(`<rect x="${margin}" y="${alert}" width="4" height="${(y - alert).toFixed(1)}" class="red"/>`);
    if (alert !== undefined) y += 12;
    alert = undefined;
  };
  const bullet = (text: string, x: number) => {
    parts.push(`<circle cx="${x - 10}" cy="${(y + 10).toFixed(1)}" r="2.5" class="text"/>`);
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
      draw("Caution", { x: margin + 20, color: "red", bold: true });
    } else if (line.startsWith("### ")) draw(line.slice(4), { size: 18, bold: true });
    else if (quoted.startsWith("- ")) bullet(quoted.slice(2), alert === undefined ? margin + 24 : margin + 44);
    else draw(quoted, { x: alert === undefined ? margin : margin + 20 });
  }
  closeAlert();
  y += 6;
  parts.push(`<path d="M${margin} ${y + 4} l9 5.5 l-9 5.5 z" class="text"/>`);
  draw(summary, { x: margin + 18 });
  const height = Math.ceil(y + 14);
  const frame = `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" class="paper line-border"/>`;
  const header =
    `<path d="M0.5 44 V8.5 a8 8 0 0 1 8 -8 H${width - 8.5} a8 8 0 0 1 8 8 V44 z" ` + 'class="header line-border"/>';
  const author = paragraph("**agentgraph review** commented on this pull request", {
    x: margin,
    y: 15,
    right,
    color: "muted",
  });
  return themedSvg(width, height, label, [frame, header, ...author.parts, ...parts]);
}
