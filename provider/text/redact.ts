/**
 * Takes the values of secrets out of a text, in whatever form a server or a tool may write them: as they are, URL-encoded,
 * form-encoded, JSON-escaped (several times over), with \u, \x or HTML escapes, in base64 at any offset, in hex, and all of
 * these broken over lines.
 *
 * The text is read in several ways (views), each of which remembers where its bytes came from; what a view shows of a
 * secret is taken out of the text itself.
 */

const PLACEHOLDER = "[secret]";
/** Characters from which on a value is found anywhere and in all forms: shorter ones are parts of other words. */
const MIN_SUBSTRING_LENGTH = 6;
/** Characters from which on a value is found where it stands alone. Shorter ones cannot be told from other words at all. */
const MIN_WORD_LENGTH = 4;
/** So often is an escaped text read as one that was escaped again. */
const MAX_ESCAPE_DEPTH = 3;
/** A text that was made to have many readings is not read in all of them. */
const MAX_VIEWS = 40;

export function redact(text: string, secrets: Iterable<string>): string {
  const needles = needlesOf(secrets);
  if (needles.length === 0 || text === "") return text;
  const spans: Span[] = [];
  for (const view of viewsOf(text)) for (const needle of needles) collectMatches(view, needle, spans);
  return replaceSpans(text, spans);
}

/** From where to where in the text, in UTF-16 code units. */
type Span = readonly [start: number, end: number];

/** A reading of the text: bytes as characters from 0 to 255, and where in the text each of them began and ended. */
interface View {
  bytes: string;
  starts: Uint32Array;
  ends: Uint32Array;
  form: Form;
}

/** How the bytes of a view were changed, so that a needle is changed in the same way. */
type Form = "plain" | "dense" | "base64" | "hex";

interface Needle {
  bytes: string;
  form: Form;
  /** Whether it counts only where no letter or digit is beside it. */
  isWord: boolean;
}

const bytesOf = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const WHITESPACE = /[\s\\]+/g;
const withoutWhitespace = (bytes: string) => bytes.replace(WHITESPACE, "");

function needlesOf(secrets: Iterable<string>): Needle[] {
  const needles = new Map<string, Needle>();
  const addNeedle = (form: Form, bytes: string, isWord = false) =>
    needles.set(`${form} ${bytes}`, { form, bytes, isWord });
  for (const secret of new Set(secrets)) {
    const value = secret.trim();
    // The lines of a key are often shown one by one; the braces of a secret that is JSON tell nothing.
    const lines = value.split("\n").map((line) => line.trim());
    for (const line of new Set([value, ...lines])) {
      if (line.length < MIN_WORD_LENGTH) continue;
      addNeedle("plain", bytesOf(line), line.length < MIN_SUBSTRING_LENGTH);
    }
    if (value.length < MIN_SUBSTRING_LENGTH) continue;
    const compact = withoutWhitespace(bytesOf(value));
    if (compact.length >= MIN_SUBSTRING_LENGTH) addNeedle("dense", compact);
    for (const whole of new Set([secret, value])) {
      const bytes = Buffer.from(whole, "utf8");
      for (const encoded of base64At(bytes)) addNeedle("base64", encoded);
      addNeedle("hex", bytes.toString("hex"));
    }
  }
  return [...needles.values()];
}

/** What base64 shows of these bytes wherever among others they begin: the characters that no neighbor has a part in. */
function base64At(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const last = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1;
    return encoded.slice(Math.ceil((before * 8) / 6), last);
  });
}

function collectMatches({ bytes, starts, ends, form }: View, needle: Needle, spans: Span[]): void {
  if (form !== needle.form) return;
  for (let at = bytes.indexOf(needle.bytes); at >= 0; at = bytes.indexOf(needle.bytes, at + 1)) {
    const end = at + needle.bytes.length;
    if (needle.isWord && (/\w/.test(bytes[at - 1] ?? "") || /\w/.test(bytes[end] ?? ""))) continue;
    const [first, last] = form === "base64" ? withNeighbors(bytes, starts, ends, at, end) : [at, end];
    spans.push([starts[first] as number, ends[last - 1] as number]);
  }
}

/** The characters before and after that show some bits of the secret too, and the padding. */
function withNeighbors(bytes: string, starts: Uint32Array, ends: Uint32Array, at: number, end: number): Span {
  const joined = (left: number) => ends[left] === starts[left + 1];
  const isDigit = (index: number) => /[A-Za-z0-9+/]/.test(bytes[index] ?? "");
  const first = at > 0 && joined(at - 1) && isDigit(at - 1) ? at - 1 : at;
  let last = end < bytes.length && joined(end - 1) && isDigit(end) ? end + 1 : end;
  while (bytes[last] === "=" && joined(last - 1)) last++;
  return [first, last];
}

/** Puts the placeholder in place of what the spans cover; line breaks in it stay, so that lines can still be told apart. */
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

/** The view in which each match of a pattern is replaced by what it stands for. */
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

/** An escape and what it stands for, in bytes; never more bytes than the escape has. */
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
