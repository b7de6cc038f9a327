/**
 * Removes secret values from a text, in every form in which a server or a tool may write them: plain, URL-encoded,
 * form-encoded, JSON-escaped (repeatedly), with \u, \x or HTML escapes, in base64 at any offset, in hex, and any of these
 * broken over lines.
 *
 * The text is decoded in several ways (views). Each view remembers the position of its bytes in the text, so that a match
 * in a view is removed from the text itself.
 */

const PLACEHOLDER = "[secret]";
/** Shortest value that is matched anywhere and in all forms: shorter ones are parts of ordinary words. */
const MIN_SUBSTRING_LENGTH = 6;
/** Shortest value that is matched as a whole word. Shorter ones cannot be distinguished from ordinary words. */
const MIN_WORD_LENGTH = 4;
/** How many nested levels of escaping are decoded. */
const MAX_ESCAPE_DEPTH = 3;
/** Bounds the work on a text that was crafted to have many decodings. */
const MAX_VIEWS = 40;

export function redact(text: string, secrets: Iterable<string>): string {
  const needles = needlesOf(secrets);
  const spans = [...text.matchAll(URL_CREDENTIALS)].map(({ index, 0: match }): Span => [index, index + match.length]);
  if (needles.length > 0)
    for (const view of viewsOf(text)) for (const needle of needles) collectMatches(view, needle, spans);
  return spans.length === 0 ? text : replaceSpans(text, spans);
}

/** The user name and the password in a URL, which are secret in every text. */
const URL_CREDENTIALS =
  /(?<=\bhttps?:\/\/)[^\s/?#"'<>\\@][^\s/?#"'<>]*(?=@)|(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#"'<>@:]*:)[^\s/?#"'<>]+(?=@)/gi;

/** A range of the text, in UTF-16 code units. */
type Span = readonly [start: number, end: number];

/** A decoding of the text: bytes as characters from 0 to 255, and the range of the text that each of them came from. */
interface View {
  bytes: string;
  starts: Uint32Array;
  ends: Uint32Array;
  form: Form;
}

/** How the bytes of a view were transformed; a needle is transformed the same way. */
type Form = "plain" | "dense" | "base64" | "hex";

interface Needle {
  bytes: string;
  form: Form;
  /** Whether it matches whole words only. */
  isWord: boolean;
}

/** A URL whose path names more than its host. */
const URL_WITH_QUERY = /^(https?:\/\/[^\s?#/]+\/[^\s?#]{4,})[?#]/i;

const bytesOf = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const WHITESPACE = /[\s\\]+/g;

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
      addNeedle("plain", bytesOf(line), line.length < MIN_SUBSTRING_LENGTH);
    }
    if (value.length < MIN_SUBSTRING_LENGTH) continue;
    const compact = bytesOf(value).replace(WHITESPACE, "");
    if (compact.length >= MIN_SUBSTRING_LENGTH) addNeedle("dense", compact);
    for (const whole of new Set([secret, value])) {
      const bytes = Buffer.from(whole, "utf8");
      for (const encoded of base64At(bytes)) addNeedle("base64", encoded);
      addNeedle("hex", bytes.toString("hex"));
    }
  }
  return [...needles.values()];
}

/** Returns the base64 of the bytes at each of the three offsets, without characters that depend on neighboring bytes. */
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
  const { bytes, starts, ends, form } = view;
  if (form !== needle.form) return;
  for (let at = bytes.indexOf(needle.bytes); at >= 0; at = bytes.indexOf(needle.bytes, at + 1)) {
    const end = at + needle.bytes.length;
    if (needle.isWord && (/\w/.test(bytes[at - 1] ?? "") || /\w/.test(bytes[end] ?? ""))) continue;
    const [first, last] = form === "base64" ? withNeighbors(view, at, end) : [at, end];
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

/** Replaces the spans with the placeholder; keeps line breaks, so that the structure of lines stays. */
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

function viewsOf(text: string): View[] {
  const views = [plainView(text)];
  const knownViews = new Set(views.map(({ bytes }) => bytes));
  let latest = views.slice();
  for (let depth = 0; depth < MAX_ESCAPE_DEPTH && latest.length > 0; depth++) {
    const next: View[] = [];
    for (const view of latest) {
      for (const { pattern, decode } of ESCAPES) {
        const decoded = mapView(view, pattern, decode, view.form);
        if (knownViews.has(decoded.bytes) || views.length + next.length >= MAX_VIEWS) continue;
        knownViews.add(decoded.bytes);
        next.push(decoded);
      }
    }
    views.push(...next);
    latest = next;
  }
  return views.flatMap((view) => [
    view,
    mapView(view, WHITESPACE, () => "", "dense"),
    mapView(view, /[\s\\]+|[-_]/g, ([char]) => (char === "-" ? "+" : char === "_" ? "/" : ""), "base64"),
    mapView(view, /[\s\\]+|[A-F]/g, ([char = ""]) => (/[A-F]/.test(char) ? char.toLowerCase() : ""), "hex"),
  ]);
}

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
  return { bytes, starts, ends, form: "plain" };
}

/** Returns a view in which each match of a pattern is replaced with its decoded form. */
function mapView(view: View, pattern: RegExp, decode: (match: string[]) => string, form: Form): View {
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
    const bytes = decode(match);
    parts.push(bytes);
    starts.fill(view.starts[match.index] as number, length, length + bytes.length);
    ends.fill(view.ends[position - 1] as number, length, length + bytes.length);
    length += bytes.length;
  }
  keep(view.bytes.length);
  return { bytes: parts.join(""), starts, ends, form };
}

/** An escape sequence and its decoded bytes, never more than the sequence has. */
interface Escape {
  pattern: RegExp;
  decode(match: string[]): string;
}

const charOf = (code: number) => bytesOf(code <= 0x10ffff ? String.fromCodePoint(code) : "");
const percent = (hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
const CONTROLS: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" };
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const ESCAPES: Escape[] = [
  { pattern: /%([0-9a-f]{2})/gi, decode: ([, hex = ""]) => percent(hex) },
  { pattern: /\+|%([0-9a-f]{2})/gi, decode: ([, hex]) => (hex === undefined ? " " : percent(hex)) },
  {
    pattern:
      /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|(["'\\/`bfnrtv0]))/gi,
    decode: ([, high, low, braced, four, two, char = ""]) => {
      if (high && low) return bytesOf(String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)));
      if (two) return percent(two);
      const code = braced ?? four;
      return code ? charOf(Number.parseInt(code, 16)) : (CONTROLS[char] ?? char);
    },
  },
  {
    pattern: /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    decode: ([, hex, decimal, name = ""]) => {
      if (hex) return charOf(Number.parseInt(hex, 16));
      return decimal ? charOf(Number(decimal)) : (NAMED[name.toLowerCase()] ?? "");
    },
  },
];
