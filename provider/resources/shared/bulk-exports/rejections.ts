/** Why an export was refused, with what the service's words leave out: where in the filter, which plan, which version. */
import type { ExportBody } from "../../../api/tracing/schemas";
import { HttpError } from "../../../http/errors";
import { snakeCase } from "../../../text/snake-case";

/** What came later than the first version, by input; `asked` are the fields that an older service misses instead (interface section 9). */
const MIN_VERSIONS: { field: keyof ExportBody; what: string; since: string; requiredInstead?: RegExp }[] = [
  {
    field: "intervalHours",
    what: "Scheduled exports need",
    since: "chart version 0.10.42 or later (application 0.10.109 or later)",
    requiredInstead: /end_?time/i,
  },
  {
    field: "exportFields",
    what: "exportFields needs",
    since: "chart version 0.12.11 or later (application 0.12.42 or later)",
  },
  {
    field: "allExperiments",
    what: "allExperiments needs",
    since: "the preview release 0.16.1rc1, or the stable 0.16.1 once it is out",
    requiredInstead: /session_?id/i,
  },
];

/** @throws what it was given, with what to do about it where that is known. */
export function throwExplained(error: unknown, body: ExportBody): never {
  if (!(error instanceof HttpError) || error.outcomeUnknown) throw error;
  if (error.status === 403) {
    throw error.withHint("Bulk export is available on the plans Plus and Enterprise only (interface section 1).");
  }
  if (error.status !== 400 && error.status !== 422) throw error;
  const hints = [...filterHint(error.detail, body.filter), ...versionHints(error.detail, body)];
  throw hints.length > 0 ? error.withHint([...hints, "Nothing was created."].join("\n")) : error;
}

/** The lines of the filter, and below the one it is about a mark at the position that the service names. */
function filterHint(detail: string, filter: string | null | undefined): string[] {
  if (filter == null || !/filter/i.test(detail)) return [];
  const lines = filter.split("\n").map((line) => `  ${line}`);
  const position = parsePosition(detail);
  if (position !== undefined && position <= filter.length) {
    const before = filter.slice(0, position).split("\n");
    lines.splice(before.length, 0, `  ${" ".repeat(before.at(-1)?.length ?? 0)}^`);
  }
  return ["filter:", ...lines];
}

/** Services count from 0, but columns from 1. */
function parsePosition(detail: string): number | undefined {
  const match = /\b(position|pos|char(?:acter)?|offset|index|col(?:umn)?)\b\W{0,4}(\d+)/i.exec(detail);
  if (!match) return undefined;
  return Number(match[2]) - (/^col/i.test(match[1] ?? "") ? 1 : 0);
}

/** What the refusal names, and came with a later version than some installations have. */
function versionHints(detail: string, body: ExportBody): string[] {
  const VERSION_WORDS =
    /\bversion|not (available|supported|permitted|allowed)|unsupported|unknown|\bextra (input|field|key)|unexpected/i;
  return MIN_VERSIONS.filter(({ field, requiredInstead }) => {
    if (body[field] == null) return false;
    const isMentioned = detail.includes(field) || detail.includes(snakeCase(field));
    return (isMentioned && VERSION_WORDS.test(detail)) || requiredInstead?.test(detail);
  }).map(({ what, since }) => `On a self-hosted installation: ${what} ${since}.`);
}

/** What to say of a service that did not take a choice of fields although it created the export. */
export const EXPORT_FIELDS_IGNORED = `exportFields: the service answers without them, so it exports all fields. It needs ${MIN_VERSIONS[1]?.since}.`;
