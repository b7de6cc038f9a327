/**
 * Removes secret values from a text: as they are, URL-encoded, form-encoded, and escaped for JSON and HTML (also
 * repeatedly), in base64 at any offset, and any of these broken over lines.
 */
import { type Form, rangeOf, type Span, type View, viewsOf } from "./redaction-views";

const PLACEHOLDER = "[secret]";
/** Shortest value that is matched anywhere and in all forms: shorter ones are parts of ordinary words. */
const MIN_SUBSTRING_LENGTH = 6;
/** Shortest value that is matched as a whole word. Shorter ones cannot be distinguished from ordinary words. */
const MIN_WORD_LENGTH = 4;

export type Redaction = (text: string) => string;

export const redact = (text: string, secrets: Iterable<string>): string => redactionOf(secrets)(text);

/** Prepares the redaction of many texts: that takes as long as the secrets are large, whatever the texts are. */
export function redactionOf(secrets: Iterable<string>): Redaction {
  const needles = needlesOf(secrets);
  return (text) => {
    const spans = [...text.matchAll(URL_CREDENTIALS)].map(({ index, 0: match }): Span => [index, index + match.length]);
    if (needles.size > 0) {
      const views = viewsOf(text);
      for (const [form, index] of needles) for (const span of matchesIn(views[form], form, index)) spans.push(span);
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

  startingAt(bytes: string, at: number): readonly Needle[] {
    if (!this.firstBytes.has(bytes.charCodeAt(at))) return [];
    return this.byHead.get(bytes.slice(at, at + MIN_WORD_LENGTH)) ?? [];
  }
}

/** A URL whose path names more than its host. */
const URL_WITH_QUERY = /^(https?:\/\/[^\s?#/]+\/[^\s?#]{4,})[?#]/i;

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
      const { plain, decoded } = viewsOf(line);
      addNeedle("plain", plain.bytes, isWord);
      if (isWord || decoded.bytes.length >= MIN_SUBSTRING_LENGTH) addNeedle("decoded", decoded.bytes, isWord);
    }
    if (value.length < MIN_SUBSTRING_LENGTH) continue;
    const { bytes } = viewsOf(value).dense;
    if (bytes.length >= MIN_SUBSTRING_LENGTH) addNeedle("dense", bytes);
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
  const { bytes } = view;
  const cuts = [...bytes.matchAll(CUT)].map(({ index }) => index);
  let nextCut = 0;
  for (let at = 0; at < bytes.length; at++) {
    while ((cuts[nextCut] ?? bytes.length) < at + MIN_SUBSTRING_LENGTH && nextCut < cuts.length) nextCut++;
    for (const needle of index.startingAt(bytes, at)) {
      const end = at + needle.bytes.length;
      if (!bytes.startsWith(needle.bytes, at)) {
        // The rest of a secret is missing where the text was truncated.
        for (let cut = nextCut; !needle.isWord && (cuts[cut] ?? end) < end; cut++)
          if (needle.bytes.startsWith(bytes.slice(at, cuts[cut]))) yield rangeOf(view, at, cuts[cut] ?? end);
      } else if (!needle.isWord || !(/\w/.test(bytes[at - 1] ?? "") || /\w/.test(bytes[end] ?? ""))) {
        yield form === "base64" ? rangeOf(view, ...withNeighbors(view, at, end)) : rangeOf(view, at, end);
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
