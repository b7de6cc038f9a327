/** An export as the service holds it: what is sent for it, and what its answers say in our terms. */
import { EXPORT_FIELDS } from "../../../api/known-values";
import type { Export, ExportBody } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { OwnershipError } from "../../../definition/ownership";
import { isEqual } from "../../../schema/compare";
import { formatTimestamp, parseTimestamp } from "../../../schema/timestamp";
import { common, type State, time, type Wanted } from "./fields";

/** Nothing comes after these (interface section 3). */
const ENDED: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMEDOUT"]);
export const hasEnded = (status: string | null | undefined) => status != null && ENDED.has(status);

/** A time goes out as the interface shows it; `false` of allExperiments is nothing to send. */
export function toBody(wanted: Wanted): ExportBody {
  const { bulkExportDestinationId, sessionId, allExperiments, startTime, endTime, intervalHours } = wanted;
  const { filter, exportFields, format, formatVersion, compression } = wanted;
  return {
    bulkExportDestinationId,
    sessionId,
    intervalHours,
    filter,
    format,
    formatVersion,
    compression,
    ...(allExperiments && { allExperiments }),
    ...(exportFields && { exportFields: [...new Set(exportFields)] }),
    startTime: utc(startTime),
    endTime: endTime === undefined ? undefined : utc(endTime),
  };
}

function utc(text: string): string {
  const instant = parseTimestamp(text);
  return instant === undefined ? text : formatTimestamp(instant);
}

/** Fields that say what an export is, without a default that a service could have filled in. */
const SAYING = [
  "bulkExportDestinationId",
  "sessionId",
  "allExperiments",
  "startTime",
  "endTime",
  "intervalHours",
  "filter",
  "exportFields",
] as const satisfies (keyof Wanted)[];
/** Fields that services fill in. */
const FILLED = ["format", "formatVersion", "compression"] as const satisfies (keyof Wanted)[];
type Field = (typeof SAYING)[number] | (typeof FILLED)[number];

/** All of the fields are the same as no choice of them. */
const choice = (fields: readonly string[] | null | undefined) =>
  EXPORT_FIELDS.every((field) => fields?.includes(field)) ? undefined : fields;

function agree(field: Field, held: Export, wanted: Wanted): boolean {
  if (field === "exportFields") return isEqual(schemaOf(field), choice(held.exportFields), choice(wanted.exportFields));
  return isEqual(schemaOf(field), held[field], wanted[field]);
}
const schemaOf = (field: Field) => (field === "endTime" ? time : field === "intervalHours" ? undefined : common[field]);

/** The fields in which another export covers other runs, or has another result. */
export function differences(other: Export, wanted: Wanted): Field[] {
  const declared = FILLED.filter((field) => wanted[field] !== undefined);
  return [...SAYING, ...declared].filter((field) => !agree(field, other, wanted));
}

/**
 * What the service holds, in the terms of what is declared. An export never changes, so what an answer leaves out is
 * as it was; but of an export that is imported, what nobody declared counts as well.
 */
export function toInputs<I extends Wanted>(answer: Export, declared: I | undefined, imported: boolean): I {
  if (!declared)
    return Object.fromEntries([...SAYING, ...FILLED].map((field) => [field, answer[field]])) as unknown as I;
  const seen: Record<string, unknown> = { ...declared };
  for (const field of [...SAYING, ...FILLED]) {
    const filled = (FILLED as readonly string[]).includes(field) && declared[field] === undefined;
    const untold = answer[field] == null && !(imported && tellsAll(answer));
    if (filled || untold || agree(field, answer, declared)) continue;
    seen[field] = answer[field] ?? undefined;
  }
  return seen as I;
}

/** The interface shows no more of an export than its status: then nothing can be concluded from what is missing. */
const tellsAll = (answer: Export) => answer.bulkExportDestinationId != null;

/** What the answer leaves out stays as it was. A new export is CREATED (interface section 3). */
export function toState(answer: Export, ctx: Context, previous: Partial<State> = {}): State {
  return {
    tenantId: answer.tenantId ?? previous.tenantId ?? ctx.settings.tenantId ?? "",
    status: answer.status ?? previous.status ?? "CREATED",
    createdAt: answer.createdAt ?? previous.createdAt,
    updatedAt: answer.updatedAt ?? previous.updatedAt,
  };
}

/**
 * What `import` or `get` found, before it is compared with what is declared.
 * @param declared Undefined for `get`.
 * @throws OwnershipError when it is of the other kind.
 */
export function assertKind(answer: Export, kind: "export" | "schedule", declared: unknown, ctx: Context): void {
  if (!tellsAll(answer)) {
    if (declared === undefined) return;
    ctx.log.warn(
      `import: this service shows only the status of ${answer.id}, so it could not be compared with what is declared.`,
    );
    return;
  }
  const is = answer.intervalHours == null ? "export" : "schedule";
  if (is === kind) return;
  const [what, write] = is === "schedule" ? ["a schedule", "ScheduledBulkExport"] : ["a one-time export", "BulkExport"];
  if (declared === undefined) throw new OwnershipError(`get: ${answer.id} is ${what}; use ${write}.get instead.`);
  throw new OwnershipError(`import: ${answer.id} is ${what}: declare it as a ${write}. Nothing was changed.`);
}
