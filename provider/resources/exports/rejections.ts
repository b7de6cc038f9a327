/** Adds to the rejection of an export what the server's message omits: the position in the filter, and the version. */
import type { ExportBody } from "../../api/tracing/schemas";
import { HttpError } from "../../http/errors";
import { snakeCase } from "../../text/format";

/**
 * Inputs that need a later server version (API `9`). `requiredInstead` matches fields that older versions require
 * instead.
 */
const MIN_VERSIONS: { field: keyof ExportBody; subject: string; since: string; requiredInstead?: RegExp }[] = [
  {
    field: "intervalHours",
    subject: "Scheduled exports need",
    since: "chart version 0.10.42 or later (application 0.10.109 or later)",
    requiredInstead: /end_?time/i,
  },
  {
    field: "exportFields",
    subject: "exportFields needs",
    since: "chart version 0.12.11 or later (application 0.12.42 or later)",
  },
  {
    field: "allExperiments",
    subject: "allExperiments needs",
    since: "the preview release 0.16.1rc1, or the stable 0.16.1 once it is out",
    requiredInstead: /session_?id/i,
  },
];

/** @throws the given error, with a hint where one is known. */
export function throwExplained(error: unknown, body: ExportBody): never {
  if (!(error instanceof HttpError) || (error.status !== 400 && error.status !== 422)) throw error;
  const hints = [...filterHint(error.detail, body.filter), ...versionHints(error.detail, body)];
  throw hints.length > 0 ? error.withHint([...hints, "Nothing was created."].join("\n")) : error;
}

/** Returns the lines of the filter, with a caret at the position that the server's message names. */
function filterHint(detail: string, filter: string | null | undefined): string[] {
  if (filter == null || !/filter/i.test(detail)) return [];
  const lines = filter.split("\n").map((line) => `  ${line}`);
  const position = parsePosition(detail);
  if (position !== undefined && position <= filter.length) {
    const linesBefore = filter.slice(0, position).split("\n");
    lines.splice(linesBefore.length, 0, `  ${" ".repeat(linesBefore.at(-1)?.length ?? 0)}^`);
  }
  return ["filter:", ...lines];
}

/** Returns the zero-based position in a message; servers count columns from 1 and everything else from 0. */
function parsePosition(detail: string): number | undefined {
  const match = /\b(position|pos|char(?:acter)?|offset|index|col(?:umn)?)\b\W{0,4}(\d+)/i.exec(detail);
  if (!match) return undefined;
  return Number(match[2]) - (/^col/i.test(match[1] ?? "") ? 1 : 0);
}

/** Returns hints for inputs in the message that need a later server version. */
function versionHints(detail: string, body: ExportBody): string[] {
  const VERSION_WORDS =
    /\bversion|not (available|supported|permitted|allowed)|unsupported|unknown|\bextra (input|field|key)|unexpected/i;
  return MIN_VERSIONS.filter(({ field, requiredInstead }) => {
    if (body[field] == null) return false;
    const isMentioned = detail.includes(field) || detail.includes(snakeCase(field));
    return (isMentioned && VERSION_WORDS.test(detail)) || requiredInstead?.test(detail);
  }).map(({ subject, since }) => `On a self-hosted installation: ${subject} ${since}.`);
}

export const EXPORT_FIELDS_IGNORED = `exportFields: the server ignored exportFields and exports all fields. Self-hosted servers need ${MIN_VERSIONS[1]?.since}.`;
