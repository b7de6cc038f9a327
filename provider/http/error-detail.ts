/** The server's own words, out of the shapes an error body comes in (interface section 2, HTTPValidationError; section 7). */

/** Characters of the server's words that are shown. */
const MAX_DETAIL = 2000;
/** Of a page, and of a body in a form that nobody knows, less says as much. */
const MAX_UNSTRUCTURED_DETAIL = 300;
/** So far is a page searched for words. */
const MAX_SCANNED = 20_000;
/** Characters of a field's path. */
const MAX_FIELD_PATH = 200;

/** Reads `detail` as a text or as a list of validation errors; else says how the body begins. Never repeats `input`. */
export function parseErrorBody(json: unknown, text: string): string {
  const detail = typeof json === "object" && json !== null ? (json as { detail?: unknown }).detail : undefined;
  if (typeof detail === "string") return clip(detail, MAX_DETAIL);
  if (Array.isArray(detail)) return clip(detail.slice(0, 100).map(describeItem).join("; "), MAX_DETAIL);
  // With spaces, since it is cut at one.
  if (detail != null) return clip(JSON.stringify(detail, null, 1).replace(/\s+/g, " "), MAX_UNSTRUCTURED_DETAIL);
  const page = textContent(text.slice(0, MAX_SCANNED)).replace(/\s+/g, " ").trim();
  return page === "" ? "an empty response" : clip(page, MAX_UNSTRUCTURED_DETAIL);
}

/**
 * The beginning of a text, cut between words: of half a secret nobody could tell later that it is one. A word that is
 * longer than the whole is left out.
 */
function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /\s/.test(text.charAt(maxLength)) ? maxLength : text.slice(0, maxLength).search(/\s\S*$/);
  return `${text.slice(0, Math.max(end, 0)).trimEnd()}… (${text.length} characters in all)`;
}

/** A path that nobody serves is answered in the framework's own words; an ID that nobody has in those of the API. */
export const isUnknownPath = (detail: string): boolean =>
  /^(not found|an empty response)$|page not found/i.test(detail.trim());

/** A page without its tags, scripts and styles. */
function textContent(page: string): string {
  const [begin = "", ...blocks] = page.split(/<(?=(?:style|script)\b)/i);
  const rest = blocks.map((block) => {
    const end = block.search(/<\/(style|script)\b/i);
    return end < 0 ? "" : block.slice(end);
  });
  return [begin, ...rest].join(" ").replace(/<[^<>]*>/g, " ");
}

/** What a good response without an ID comes to: some servers report an error this way. */
export function describeMissingId(json: unknown): string {
  const { id, detail, error, message } = (typeof json === "object" && json !== null ? json : {}) as Record<
    string,
    unknown
  >;
  const text = detail ?? error ?? message;
  if (text == null) return id == null ? "the response has no ID" : "unexpected response: id: not a valid ID";
  return `the response has no ID, and says: ${parseErrorBody({ detail: text }, "")}`;
}

/** `body.source_config.resource_spec.cpu` is shown as the path that the user wrote: `sourceConfig.resourceSpec.cpu`. */
function describeItem(item: unknown): string {
  const { loc, msg } = (item ?? {}) as { loc?: unknown; msg?: unknown };
  const path = Array.isArray(loc) ? loc.slice(0, 20).map(String) : [];
  const where = path[0] === "body" || path[0] === "query" || path[0] === "path" ? path.slice(1) : path;
  const shown = where.map(camel).join(".").slice(0, MAX_FIELD_PATH);
  return `${shown || "request"}: ${typeof msg === "string" ? msg : "not valid"}`;
}

const camel = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
