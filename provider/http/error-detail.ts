/** Extracts the server's message from an error body (API `2A.HTTPValidationError` and `7`). */
import { truncate } from "../text/format";

/** Characters of the server's message that are shown. */
const MAX_DETAIL = 2000;
/** Characters shown of an HTML page or a body of an unknown form. */
const MAX_UNSTRUCTURED_DETAIL = 300;
/** Characters of a page that are searched for text. */
const MAX_SCANNED = 20_000;
/** Characters of a field's path that are shown. */
const MAX_FIELD_PATH = 200;

/** Returns `detail` (text or validation errors), else issues, else the body's beginning. Never shows `input`. */
export function parseErrorBody(json: unknown, text: string): string {
  const { detail: ownDetail, error } = fieldsOf(json);
  const detail = ownDetail ?? issuesIn(error);
  if (typeof detail === "string") return clip(detail, MAX_DETAIL);
  if (Array.isArray(detail)) return clip(detail.slice(0, 100).map(describeItem).join("; "), MAX_DETAIL);
  // Indented, so that there are spaces to cut at.
  if (detail != null) return clip(JSON.stringify(detail, null, 1).replace(/\s+/g, " "), MAX_UNSTRUCTURED_DETAIL);
  const page = textContent(truncate(text, MAX_SCANNED)).replace(/\s+/g, " ").trim();
  return page === "" ? "an empty response" : clip(page, MAX_UNSTRUCTURED_DETAIL);
}

/** Returns the issues of a failed validation as validation errors (API `7:assistants`). */
function issuesIn(error: unknown): unknown {
  const { issues } = fieldsOf(error);
  if (!Array.isArray(issues)) return undefined;
  return issues.map(fieldsOf).map(({ path, message }) => ({ loc: path, msg: message }));
}

const fieldsOf = (json: unknown) => (typeof json === "object" && json !== null ? json : {}) as Record<string, unknown>;

/** Truncates between words, since redaction would miss half a secret. A word longer than the limit is left out. */
function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = /\s/.test(text.charAt(maxLength)) ? maxLength : text.slice(0, maxLength).search(/\s\S*$/);
  return `${text.slice(0, Math.max(end, 0)).trimEnd()}… (${text.length} characters in all)`;
}

/** Whether a 404 has the wording of a web framework (no such route) rather than that of the API (no such object). */
export const isUnknownPath = (detail: string): boolean =>
  /^(not found|an empty response)$|page not found/i.test(detail.trim());

function textContent(page: string): string {
  const [begin = "", ...blocks] = page.split(/<(?=(?:style|script)\b)/i);
  const rest = blocks.map((block) => {
    const end = block.search(/<\/(style|script)\b/i);
    return end < 0 ? "" : block.slice(end);
  });
  return [begin, ...rest].join(" ").replace(/<[^<>]*>/g, " ");
}

/** Describes a successful response without an ID: some servers report errors this way. */
export function describeMissingId(json: unknown): string {
  const { id, detail, error, message } = fieldsOf(json);
  const text = detail ?? error ?? message;
  if (text == null) return id == null ? "the response has no ID" : "unexpected response: id: not a valid ID";
  return `the response has no ID, and says: ${parseErrorBody({ detail: text }, "")}`;
}

/** Formats a validation error with the path as the user wrote it: `sourceConfig.resourceSpec.cpu`. */
function describeItem(item: unknown): string {
  if (typeof item === "string") return item;
  const { loc, msg } = fieldsOf(item);
  const path = Array.isArray(loc) ? loc.slice(0, 20).map(String) : [];
  const where = path[0] === "body" || path[0] === "query" || path[0] === "path" ? path.slice(1) : path;
  const fieldPath = truncate(where.map(camel).join("."), MAX_FIELD_PATH);
  return `${fieldPath || "request"}: ${typeof msg === "string" ? msg : "not valid"}`;
}

const camel = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
