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

/** Removes the secret values from a text. */
export type Redaction = (text: string) => string;

export const redact = (text: string, secrets: Iterable<string>): string => redactionOf(secrets)(text);

/** Prepares the redaction of many texts: that takes as long as the secrets are large, whatever the texts are. */
export function redactionOf(secrets: Iterable<string>): Redaction {
  const needles = needlesOf(secrets);
  return (text) => {
    const spans = [...text.matchAll(URL_CREDENTIALS)].map(({ index, 0: match }): Span => [index, index + match.length]);
    for (const [form, view] of needles.size > 0 ? viewsOf(text) : []) {
      const index = needles.get(form);
      for (const span of index ? matchesIn(view, form, index) : []) spans.push(span);
    }
    return spans.length === 0 ? text : replaceSpans(text, spans);
  };
}

/** The user name, the password and the tokens in a URL, which are secret in every text. */
const URL_CREDENTIALS = new RegExp(
  [
    /(?<=\bhttps?:\/\/)[^\s/?#"'<>\\@][^\s/?#"'<>]*(?=@)/.source,
    /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#"'<>@:]*:)[^\s/?#"'<>]+(?=@)/.source,
    /(?<=[?&][\w.-]*(?:token|secret|passw(?:or)?d|credential|signature|(?:\b|_)(?:sig|key|auth))=)/.source +
      /(?!REDACTED\b)[^\s&#"'<>\\]+/.source,
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
  /** Whether it matches whole words only. */
  isWord: boolean;
}

/** The needles of a form: a text is searched once for all of them, however many they are. */
class NeedleIndex {
  private readonly byHead = new Map<string, Needle[]>();
  private readonly firstBytes = new Set<number>();

  add(needle: Needle): void {
    const head = needle.bytes.slice(0, MIN_WORD_LENGTH);
    const same = this.byHead.get(head);
    if (same) same.push(needle);
    else this.byHead.set(head, [needle]);
    this.firstBytes.add(head.charCodeAt(0));
  }

  /** Returns the needles that may begin at a place. */
  startingAt(bytes: string, at: number): readonly Needle[] {
    if (!this.firstBytes.has(bytes.charCodeAt(at))) return [];
    return this.byHead.get(bytes.slice(at, at + MIN_WORD_LENGTH)) ?? [];
  }
}

/** A URL whose path names more than its host. */
const URL_WITH_QUERY = /^(https?:\/\/[^\s?#/]+\/[^\s?#]{4,})[?#]/i;

const bytesOf = (text: string) => Buffer.from(text, "utf8").toString("latin1");

function needlesOf(secrets: Iterable<string>): Map<Form, NeedleIndex> {
  const needles = new Map<Form, NeedleIndex>();
  const addNeedle = (form: Form, bytes: string, isWord = false) => {
    if (bytes.length < MIN_WORD_LENGTH) return;
    const index = needles.get(form) ?? new NeedleIndex();
    needles.set(form, index);
    index.add({ bytes, isWord });
  };
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
      const decoded = decodeBytes(bytesOf(line));
      if (isWord || decoded.length >= MIN_SUBSTRING_LENGTH) addNeedle("decoded", decoded, isWord);
    }
    if (value.length < MIN_SUBSTRING_LENGTH) continue;
    const compact = decodeBytes(bytesOf(value)).replace(FILLING, "");
    if (compact.length >= MIN_SUBSTRING_LENGTH) addNeedle("dense", compact);
    for (const whole of new Set([secret, value]))
      for (const encoded of base64At(Buffer.from(whole, "utf8"))) addNeedle("base64", encoded);
  }
  return needles;
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

function* matchesIn(view: View, form: Form, index: NeedleIndex): Generator<Span> {
  const { bytes, starts, ends } = view;
  const spanOf = (from: number, to: number): Span => [starts[from] as number, ends[to - 1] as number];
  const cuts = [...bytes.matchAll(CUT)].map(({ index }) => index);
  let nextCut = 0;
  for (let at = 0; at < bytes.length; at++) {
    while ((cuts[nextCut] ?? bytes.length) < at + MIN_SUBSTRING_LENGTH && nextCut < cuts.length) nextCut++;
    for (const needle of index.startingAt(bytes, at)) {
      const end = at + needle.bytes.length;
      if (!bytes.startsWith(needle.bytes, at)) {
        // The rest of a secret is missing where the text was truncated.
        for (let cut = nextCut; !needle.isWord && (cuts[cut] ?? end) < end; cut++)
          if (needle.bytes.startsWith(bytes.slice(at, cuts[cut]))) yield spanOf(at, cuts[cut] as number);
      } else if (!needle.isWord || !(/\w/.test(bytes[at - 1] ?? "") || /\w/.test(bytes[end] ?? ""))) {
        yield form === "base64" ? spanOf(...withNeighbors(view, at, end)) : spanOf(at, end);
      }
    }
  }
}

/** How a truncated text ends: `…`, in UTF-8, or three dots. */
const CUT = /\u00e2\u0080\u00a6|(?=\.\.\.)/g;

/** Extends a base64 match by neighboring characters that contain bits of the secret, and by padding. */
function withNeighbors({ bytes, starts, ends }: View, at: number, end: number): [first: number, last: number] {
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
const condense = (view: View) => mapView(view, FILLING, () => "");
const FILLING = /[\s\\+]+/g;

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

/** The same of a needle, whose place in a text does not matter. */
function decodeBytes(bytes: string): string {
  let decoded = bytes;
  for (let count = 0; count < MAX_DECODINGS; count++) {
    const next = decoded.replace(ESCAPE, (...match) => unescapeOne(match));
    if (next.length === decoded.length) return decoded;
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
