/** The server's own words, out of the shapes an error body comes in (interface section 2, HTTPValidationError; section 7). */

/** So much of the server's words is shown; a page is searched this far for them. Characters. */
const LONGEST = 2000;
const READ = 20_000;

/** Reads `detail` as a text or as a list of validation errors; else says how the body begins. Never repeats `input`. */
export function describeDetail(json: unknown, text: string): string {
  const detail = typeof json === "object" && json !== null ? (json as { detail?: unknown }).detail : undefined;
  if (typeof detail === "string") return detail.slice(0, LONGEST);
  if (Array.isArray(detail)) return detail.map(describeItem).join("; ").slice(0, LONGEST);
  if (detail !== undefined) return JSON.stringify(detail).slice(0, 300);
  const words = text
    .slice(0, READ)
    .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words === "" ? "an empty answer" : words.slice(0, 200);
}

/** What a good response without an ID comes to: some servers report an error this way. */
export function describeMissingId(json: unknown): string {
  const { detail, error, message } = (typeof json === "object" && json !== null ? json : {}) as Record<string, unknown>;
  const words = detail ?? error ?? message;
  if (words == null) return "the response has no ID";
  return `the response has no ID, and says: ${describeDetail({ detail: words }, "")}`;
}

/** `body.source_config.resource_spec.cpu` is shown as the path that the user wrote: `sourceConfig.resourceSpec.cpu`. */
function describeItem(item: unknown): string {
  const { loc, msg } = (item ?? {}) as { loc?: unknown; msg?: unknown };
  const path = Array.isArray(loc) ? loc.map(String) : [];
  const where = path[0] === "body" || path[0] === "query" || path[0] === "path" ? path.slice(1) : path;
  return `${where.map(camel).join(".") || "request"}: ${typeof msg === "string" ? msg : "not valid"}`;
}

const camel = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
