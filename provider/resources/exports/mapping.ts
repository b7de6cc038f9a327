/** Converts between the inputs and state of an export and the objects of the API. */
import type { z } from "zod";
import { EXPORT_FIELDS } from "../../api/known-values";
import type { Export, ExportBody } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { isEqual } from "../../schema/compare";
import { toOutputs } from "../../schema/mapping";
import { timestamp } from "../../schema/time-fields";
import { formatTimestamp, parseTimestamp } from "../../schema/timestamp";
import { commonInputs, type DesiredExport, type State } from "./fields";

/** Statuses that never change again (API `3.Export status`). */
const TERMINAL_STATUSES: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMEDOUT"]);
export const hasEnded = (status: string | null | undefined) => status != null && TERMINAL_STATUSES.has(status);

/** Returns the body of a create, with timestamps in the API's format; `allExperiments: false` is not sent. */
export function toCreateRequest(desired: DesiredExport): ExportBody {
  const { allExperiments, exportFields, startTime, endTime } = desired;
  return {
    ...desired,
    allExperiments: allExperiments || undefined,
    exportFields: exportFields && [...new Set(exportFields)],
    startTime: toUtc(startTime),
    endTime: endTime === undefined ? undefined : toUtc(endTime),
  };
}

function toUtc(text: string): string {
  const instant = parseTimestamp(text);
  return instant === undefined ? text : formatTimestamp(instant);
}

/** Fields that identify an export and have no server default. */
const IDENTITY_FIELDS = [
  "bulkExportDestinationId",
  "sessionId",
  "allExperiments",
  "startTime",
  "endTime",
  "intervalHours",
  "filter",
  "exportFields",
] as const satisfies (keyof DesiredExport)[];
const SERVER_DEFAULTED_FIELDS = ["format", "formatVersion", "compression"] as const satisfies (keyof DesiredExport)[];
type Field = (typeof IDENTITY_FIELDS)[number] | (typeof SERVER_DEFAULTED_FIELDS)[number];

/** Returns undefined for a list of all fields, which means the same as no list. */
const normalizeFields = (fields: readonly string[] | null | undefined) =>
  EXPORT_FIELDS.every((field) => fields?.includes(field)) ? undefined : fields;

function isSameField(field: Field, remote: Export, desired: DesiredExport): boolean {
  if (field === "exportFields")
    return isEqual(schemaOf(field), normalizeFields(remote.exportFields), normalizeFields(desired.exportFields));
  return isEqual(schemaOf(field), remote[field], desired[field]);
}
const schemaOf = (field: Field) =>
  field === "endTime" ? timestamp : field === "intervalHours" ? undefined : commonInputs[field];

/** Returns the fields in which another export covers other runs or has other files. */
export function differingFields(other: Export, desired: DesiredExport): Field[] {
  const declared = SERVER_DEFAULTED_FIELDS.filter((field) => desired[field] !== undefined);
  return [...IDENTITY_FIELDS, ...declared].filter((field) => !isSameField(field, other, desired));
}

/**
 * Returns the declared inputs with the server's values. An export never changes, so a field that the response omits
 * keeps its value; but in an import, an omitted field counts as absent.
 */
export function toInputs<I extends DesiredExport>(remote: Export, declared: I | undefined, isImported: boolean): I {
  if (!declared)
    return Object.fromEntries(
      [...IDENTITY_FIELDS, ...SERVER_DEFAULTED_FIELDS].map((field) => [field, remote[field]]),
    ) as unknown as I;
  const merged: Record<string, unknown> = { ...declared };
  for (const field of [...IDENTITY_FIELDS, ...SERVER_DEFAULTED_FIELDS]) {
    const isServerDefaulted =
      (SERVER_DEFAULTED_FIELDS as readonly string[]).includes(field) && declared[field] === undefined;
    const isOmitted = remote[field] == null && !(isImported && isComplete(remote));
    if (isServerDefaulted || isOmitted || isSameField(field, remote, declared)) continue;
    merged[field] = remote[field] ?? undefined;
  }
  return merged as I;
}

/** Whether a response contains more than the status; otherwise its missing fields mean nothing. */
const isComplete = (remote: Export) => remote.bulkExportDestinationId != null;

/** Returns a function for the state; outputs that a response omits keep their values. */
export const stateOf =
  <S extends State>(outputs: z.ZodType<S>) =>
  (remote: Partial<Export>, ctx: Context, previous: Partial<S> = {}): S =>
    toOutputs(outputs, remote, { ...previous, tenantId: previous.tenantId ?? ctx.settings.tenantId ?? "" });

/**
 * Verifies the type of an export that `import` or `get` found.
 * @param declared Undefined for `get`.
 * @throws OwnershipError when it has the other type.
 */
export function assertKind(remote: Export, kind: "export" | "schedule", declared: unknown, ctx: Context): void {
  if (!isComplete(remote)) {
    if (declared === undefined) return;
    ctx.log.warn(
      `import: the server returns only the status of ${remote.id}, so it could not be compared with the program.`,
    );
    return;
  }
  const remoteKind = remote.intervalHours == null ? "export" : "schedule";
  if (remoteKind === kind) return;
  const [description, resourceType] =
    remoteKind === "schedule" ? ["a schedule", "ScheduledBulkExport"] : ["a one-time export", "BulkExport"];
  if (declared === undefined)
    throw new OwnershipError(`get: ${remote.id} is ${description}; use ${resourceType}.get instead.`);
  throw new OwnershipError(
    `import: ${remote.id} is ${description}; declare it as a ${resourceType}. No changes were made.`,
  );
}
