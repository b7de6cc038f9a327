/**
 * Views of a text, in which redact.ts searches for secrets: as it is, decoded, without whitespace, and as base64. Each
 * remembers where in the text its bytes come from, so that a match is removed from the text itself. Secrets are decoded
 * in the same way, so it does not matter how often either was encoded.
 */

/** How often a text is decoded: bounds the work on one that was crafted for it. */
const MAX_DECODINGS = 6;

export type Span = readonly [start: number, end: number];

/** Bytes as characters from 0 to 255, and the range of the text that each of them came from. */
export interface View {
  bytes: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

const toBytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");

/** How the bytes of a text were transformed; a needle is transformed the same way. */
export type Form = "plain" | "decoded" | "dense" | "base64";

export function viewsOf(text: string): Record<Form, View> {
  const plain = plainView(text);
  const decoded = decode(plain);
  return {
    plain,
    decoded,
    // Without what breaks or fills lines, and without the spaces of forms.
    dense: mapView(decoded, /[\s\\+]+/g, () => ""),
    base64: mapView(decoded, /[\s\\]+|[-_]/g, ([char]) => (char === "-" ? "+" : char === "_" ? "/" : "")),
  };
}

export const rangeOf = ({ starts, ends }: View, from: number, to: number): Span => [
  starts[from] ?? 0,
  ends[to - 1] ?? 0,
];

function plainView(text: string): View {
  const bytes = toBytes(text);
  const [starts, ends] = [new Uint32Array(bytes.length), new Uint32Array(bytes.length)];
  let [at, from] = [0, 0];
  for (const char of text) {
    const to = at + Buffer.byteLength(char);
    starts.fill(from, at, to);
    ends.fill(from + char.length, at, to);
    [at, from] = [to, from + char.length];
  }
  return { bytes, starts, ends };
}

function mapView(view: View, pattern: RegExp, replace: (match: string[]) => string): View {
  const parts: string[] = [];
  const [starts, ends] = [new Uint32Array(view.bytes.length), new Uint32Array(view.bytes.length)];
  let [length, position] = [0, 0];
  const keep = (to: number) => {
    parts.push(view.bytes.slice(position, to));
    starts.set(view.starts.subarray(position, to), length);
    ends.set(view.ends.subarray(position, to), length);
    length += to - position;
  };
  for (const match of view.bytes.matchAll(pattern)) {
    keep(match.index);
    position = match.index + match[0].length;
    const bytes = replace(match);
    parts.push(bytes);
    const [start, end] = rangeOf(view, match.index, position);
    starts.fill(start, length, length + bytes.length);
    ends.fill(end, length, length + bytes.length);
    length += bytes.length;
  }
  keep(view.bytes.length);
  return { bytes: parts.join(""), starts, ends };
}

/** An escape sequence of URLs, of JSON or of HTML, which is never shorter than what it stands for. */
const ESCAPE = new RegExp(
  [
    /%([0-9a-f]{2})|\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|(["\\/bfnrt]))/.source,
    /&(?:#(0*\d{1,6})|#x(0*[0-9a-f]{1,5})|(amp|lt|gt|quot|apos));/.source,
  ].join("|"),
  "gi",
);
const HTML: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const CONTROLS: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function decode(view: View): View {
  let decoded = view;
  for (let count = 0; count < MAX_DECODINGS; count++) {
    const next = mapView(decoded, ESCAPE, unescapeOne);
    if (next.bytes.length === decoded.bytes.length) return decoded;
    decoded = next;
  }
  return decoded;
}

function unescapeOne([, percent, high, low, single, char = "", ...html]: (string | undefined)[]): string {
  const [decimal, hex, name = ""] = html;
  if (decimal || hex) return toBytes(String.fromCodePoint(Number.parseInt(decimal ?? hex ?? "", decimal ? 10 : 16)));
  if (percent) return String.fromCharCode(Number.parseInt(percent, 16));
  if (high && low) return toBytes(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  return single
    ? toBytes(String.fromCharCode(Number.parseInt(single, 16)))
    : (HTML[name.toLowerCase()] ?? CONTROLS[char] ?? char);
}
