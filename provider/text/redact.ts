/**
 * Removes secret values from a text: as they are, URL-encoded, form-encoded, and escaped for JSON and HTML (also
 * repeatedly), in base64 at any offset, and any of these broken over lines.
 *
 * The text is searched in several views: as it is, decoded, without whitespace, and as base64. Each remembers where in
 * the text its bytes come from, so that a match is removed from the text itself. Values are decoded in the same way, so
 * it does not matter how often either was encoded.
 */

const PLACEHOLDER = "[secret]";
/** Shortest value that is matched anywhere and in all forms: shorter ones are parts of ordinary words. */
const MIN_SUBSTRING_LENGTH = 6;
/** Shortest value that is matched as a whole word. Shorter ones cannot be distinguished from ordinary words. */
const MIN_WORD_LENGTH = 4;
/** How often a text is decoded: bounds the work on one that was crafted for it. */
const MAX_DECODINGS = 6;

export function redact(text: string, secrets: Iterable<string>): string {
  const needles = needlesOf(secrets);
  const spans = [...text.matchAll(URL_CREDENTIALS)].map(({ index, 0: match }): Span => [index, index + match.length]);
  if (needles.length > 0)
    for (const [form, view] of viewsOf(text))
      for (const needle of needles) if (needle.form === form) collectMatches(view, needle, spans);
  return spans.length === 0 ? text : replaceSpans(text, spans);
}

/** The user name and the password in a URL, which are secret in every text. */
const URL_CREDENTIALS = new RegExp(
  [
    /(?<=\bhttps?:\/\/)[^\s/?#"'<>\\@][^\s/?#"'<>]*(?=@)/.source,
    /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#"'<>@:]*:)[^\s/?#"'<>]+(?=@)/.source,
  ].join("|"),
  "gi",
);

type Span = readonly [start: number, end: number];

/** Bytes as characters from 0 to 255, and the range of the text that each of them came from. */
interface View {
  bytes: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** How the bytes of a view were transformed; a needle is transformed the same way. */
type Form = "plain" | "decoded" | "dense" | "base64";

interface Needle {
  bytes: string;
  form: Form;
  /** Whether it matches whole words only. */
  isWord: boolean;
}

/** A URL whose path names more than its host. */
const URL_WITH_QUERY = /^(https?:\/\/[^\s?#/]+\/[^\s?#]{4,})[?#]/i;

const bytesOf = (text: string) => Buffer.from(text, "utf8").toString("latin1");

function needlesOf(secrets: Iterable<string>): Needle[] {
  const needles = new Map<string, Needle>();
  const addNeedle = (form: Form, bytes: string, isWord = false) =>
    needles.set(`${form} ${bytes}`, { form, bytes, isWord });
  for (const secret of new Set(secrets)) {
    const value = secret.trim();
    // The lines of a private key are often printed separately; the lone braces of a JSON secret are harmless.
    const lines = value.split("\n").map((line) => line.trim());
    // A server may return a secret URL with another query, or without one.
    const [, urlPath = value] = URL_WITH_QUERY.exec(value) ?? [];
    for (const line of new Set([value, urlPath, ...lines])) {
      if (line.length < MIN_WORD_LENGTH) continue;
      const isWord = line.length < MIN_SUBSTRING_LENGTH;
      addNeedle("plain", bytesOf(line), isWord);
      const decoded = decode(plainView(line)).bytes;
      if (isWord || decoded.length >= MIN_SUBSTRING_LENGTH) addNeedle("decoded", decoded, isWord);
    }
    if (value.length < MIN_SUBSTRING_LENGTH) continue;
    const compact = condense(decode(plainView(value))).bytes;
    if (compact.length >= MIN_SUBSTRING_LENGTH) addNeedle("dense", compact);
    for (const whole of new Set([secret, value]))
      for (const encoded of base64At(Buffer.from(whole, "utf8"))) addNeedle("base64", encoded);
  }
  return [...needles.values()];
}

function base64At(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const last = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    return encoded.slice(Math.ceil((before * 8) / 6), last);
  });
}

function collectMatches(view: View, needle: Needle, spans: Span[]): void {
  const { bytes, starts, ends } = view;
  for (let at = bytes.indexOf(needle.bytes); at >= 0; at = bytes.indexOf(needle.bytes, at + 1)) {
    const end = at + needle.bytes.length;
    if (needle.isWord && (/\w/.test(bytes[at - 1] ?? "") || /\w/.test(bytes[end] ?? ""))) continue;
    const [first, last] = needle.form === "base64" ? withNeighbors(view, at, end) : [at, end];
    spans.push([starts[first] as number, ends[last - 1] as number]);
  }
  if (!needle.isWord) collectHalves(view, needle, spans);
}

/** How a truncated text ends: `…`, in UTF-8, or three dots. */
const CUTS = ["\u00e2\u0080\u00a6", "..."];

/** Finds the beginning of a secret before each cut, where the rest of it is missing. */
function collectHalves({ bytes, starts, ends }: View, needle: Needle, spans: Span[]): void {
  const head = needle.bytes.slice(0, MIN_SUBSTRING_LENGTH);
  for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1)) {
    for (const mark of CUTS) {
      const cut = bytes.indexOf(mark, at + head.length);
      if (cut >= 0 && needle.bytes.startsWith(bytes.slice(at, cut)))
        spans.push([starts[at] as number, ends[cut - 1] as number]);
    }
  }
}

/** Extends a base64 match by neighboring characters that contain bits of the secret, and by padding. */
function withNeighbors({ bytes, starts, ends }: View, at: number, end: number): Span {
  const joined = (left: number) => ends[left] === starts[left + 1];
  const isDigit = (index: number) => /[A-Za-z0-9+/]/.test(bytes[index] ?? "");
  const first = at > 0 && joined(at - 1) && isDigit(at - 1) ? at - 1 : at;
  let last = end < bytes.length && joined(end - 1) && isDigit(end) ? end + 1 : end;
  while (bytes[last] === "=" && joined(last - 1)) last++;
  return [first, last];
}

function replaceSpans(text: string, spans: Span[]): string {
  let [result, position] = ["", 0];
  for (const [start, end] of mergeSpans(spans)) {
    result += text.slice(position, start) + PLACEHOLDER + text.slice(start, end).replace(/[^\n]+/g, "");
    position = end;
  }
  return result + text.slice(position);
}

function mergeSpans(spans: Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

function viewsOf(text: string): [Form, View][] {
  const plain = plainView(text);
  const decoded = decode(plain);
  return [
    ["plain", plain],
    ["decoded", decoded],
    ["dense", condense(decoded)],
    ["base64", mapView(decoded, /[\s\\]+|[-_]/g, ([char]) => (char === "-" ? "+" : char === "_" ? "/" : ""))],
  ];
}

/** Returns a view without what breaks or fills lines, and without the spaces of forms. */
const condense = (view: View) => mapView(view, /[\s\\+]+/g, () => "");

function plainView(text: string): View {
  const bytes = bytesOf(text);
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
    starts.fill(view.starts[match.index] as number, length, length + bytes.length);
    ends.fill(view.ends[position - 1] as number, length, length + bytes.length);
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
  if (decimal || hex) return bytesOf(String.fromCodePoint(Number.parseInt(decimal ?? hex ?? "", decimal ? 10 : 16)));
  if (percent) return String.fromCharCode(Number.parseInt(percent, 16));
  if (high && low) return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
  return single
    ? bytesOf(String.fromCharCode(Number.parseInt(single, 16)))
    : (HTML[name.toLowerCase()] ?? CONTROLS[char] ?? char);
}
