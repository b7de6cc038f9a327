/** Converts between the inputs and state of an export and the objects of the API. */
import type { z } from "zod";
import { EXPORT_FIELDS } from "../../api/known-values";
import type { Export, ExportBody } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import type { AdoptFacts } from "../../definition/definition";
import { type Listing, noArgs, type Remote } from "../../definition/listing";
import { OwnershipError } from "../../definition/ownership";
import { isEqual } from "../../schema/compare";
import { receivedOf } from "../../schema/extra";
import { mergeRemote, toOutputs } from "../../schema/mapping";
import type { PropertyMap } from "../../schema/schema";
import { toUtc } from "../../schema/timestamp";
import { type DesiredExport, exportInputs, type State } from "./fields";
import { findExport } from "./idempotent-create";

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

type Field = Exclude<keyof typeof exportInputs, "allowDuplicate" | "extra">;
const FIELDS = Object.keys(exportInputs).filter((key): key is Field => key !== "allowDuplicate" && key !== "extra");
/** Fields with a default of the server, which only a declared value differs from. That of the version is not known. */
const SERVER_DEFAULTS = { format: "Parquet", formatVersion: undefined, compression: "zstandard" } as const;

function isSameField(field: Field, remote: Export, desired: DesiredExport): boolean {
  if (Object.hasOwn(SERVER_DEFAULTS, field) && (desired[field] === undefined || remote[field] == null)) return true;
  const [from, to] = [remote, desired].map((one) => (field === "exportFields" ? listedFields(one) : one[field]));
  return isEqual(exportInputs[field], from, to);
}

/** A list of all fields means the same as no list. */
const listedFields = ({ exportFields }: Pick<Export, "exportFields">) =>
  new Set(exportFields).size === EXPORT_FIELDS.length && EXPORT_FIELDS.every((field) => exportFields?.includes(field))
    ? undefined
    : exportFields;

/** Returns the fields in which another export covers other runs or has other files. */
export const differingFields = (other: Export, desired: DesiredExport): Field[] =>
  FIELDS.filter((field) => !isSameField(field, other, desired));

/** Returns the inputs with the server's values: an omitted one is as declared, but absent in an import. */
export function toInputs<I extends DesiredExport>(remote: Export, declared: I | undefined, isImported: boolean): I {
  const isShown = (field: Field) => remote[field] != null || (isImported && isComplete(remote));
  const fields = declared === undefined ? FIELDS : differingFields(remote, declared).filter(isShown);
  const shown = Object.fromEntries(fields.map((field) => [field, remote[field] ?? undefined]));
  const extra = declared?.extra && mergeRemote(exportInputs.extra, declared.extra, receivedOf(remote));
  return { ...declared, ...shown, ...(extra && { extra }) } as I;
}

/** Whether a response contains more than the status; otherwise its missing fields mean nothing. */
const isComplete = (remote: Export) => remote.bulkExportDestinationId != null;

/** Returns a function for the state; outputs that a response omits keep their values. */
export const stateOf =
  <S extends State>(outputs: z.ZodType<S>) =>
  (remote: Partial<Export>, ctx: Context, previous: Partial<S> = {}): S =>
    toOutputs(outputs, remote, { ...previous, tenantId: previous.tenantId ?? ctx.clients.tenantId ?? "" });

/** @param declared Undefined for `get`. @throws OwnershipError when the export has the other type. */
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

export const isSchedule = ({ intervalHours }: Remote): boolean => intervalHours != null;

/** One list contains both kinds. */
export const EXPORT_LISTING: Listing = {
  args: noArgs,
  async *pages(_args, { tracing }) {
    yield await tracing.listExports();
  },
  detailsOf: ({ status }) => (typeof status === "string" ? [status] : []),
};

export const ADOPT_DEFAULTS: Pick<AdoptFacts, "isNamed" | "title" | "fetch" | "toInputs"> = {
  isNamed: false,
  title({ sessionId, intervalHours, startTime }, projects) {
    const project = projects.get(String(sessionId)) ?? `project-${String(sessionId).slice(0, 8)}`;
    const subject = sessionId == null ? "experiments" : project;
    return intervalHours == null
      ? `${subject}-${String(startTime).slice(0, 10)}`
      : `${subject}-every-${intervalHours}h`;
  },
  fetch: (id, _container, ctx) => findExport(id, ctx),
  toInputs({ startTime, endTime, ...remote }) {
    const defaults: PropertyMap = SERVER_DEFAULTS;
    // A read adds these two where they differ from their defaults.
    const isOmitted = (key: string) =>
      key === "allExperiments" || key === "exportFields" || remote[key] === defaults[key];
    return {
      ...Object.fromEntries(Object.entries(remote).filter(([key]) => !isOmitted(key))),
      startTime: toUtc(String(startTime)),
      ...(endTime != null && { endTime: toUtc(String(endTime)) }),
    };
  },
};
