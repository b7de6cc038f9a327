/** Inputs and outputs of one-time and scheduled exports (API `2C.Export job`). */
import { z } from "zod";
import { KNOWN_VALUES, type KnownValueType, knownValue } from "../../api/known-values";
import { knownValueRule, type Rule, uuidRule } from "../../definition/rules";
import { extraInput } from "../../schema/extra";
import { fieldMetadata, optionalFlag, optionalName } from "../../schema/schema";
import { timeOutputs, timestamp } from "../../schema/timestamp";

const fixed = <S extends z.ZodType>(schema: S, description: string): S =>
  (schema as z.ZodType)
    .describe(`${description} A change restarts the export.`)
    .register(fieldMetadata, { replaces: true }) as S;

/** Returns an input of which the server has a default. */
function choice(type: KnownValueType, subject: string) {
  const values = KNOWN_VALUES[type].map((value) => `\`${value}\``).join(", ");
  return fixed(knownValue(type).optional(), `${subject}: ${values}. Defaults to the server's choice.`);
}

/** Either kind lacks one: a schedule the end, and a one-time export the interval. */
export const exportInputs = {
  bulkExportDestinationId: z
    .string()
    .min(1)
    .describe("ID of the destination that the files are written to. A change restarts the export.")
    .register(fieldMetadata, {
      replaces: true,
      compare: "uuid",
      reference: { kind: "BulkExportDestination", output: "id", reason: "its destination is replaced" },
    }),
  sessionId: optionalName(
    "ID of the tracing project to export. Specify this or `allExperiments: true`. A change restarts the export.",
  ).register(fieldMetadata, {
    replaces: true,
    compare: "uuid",
    // A project belongs to the name of a deployment, so a new deployment may have the same project.
    reference: {
      kind: "Deployment",
      output: "tracingProjectId",
      reason: "its deployment gets another name",
      condition: "if it is another project",
    },
  }),
  allExperiments: fixed(
    z.boolean().register(fieldMetadata, { absentMeans: false }).optional(),
    "Whether to export all experiments that the workspace has when the export runs. Defaults to false.",
  ),
  startTime: fixed(
    timestamp,
    "Start of the time window, inclusive: only runs that started at this time or later are exported. UTC.",
  ),
  endTime: fixed(
    timestamp,
    "End of the time window, exclusive: only runs that started before this time are exported. UTC.",
  ),
  intervalHours: fixed(
    z.int().min(1).max(168),
    "Length of a time window in hours, from 1 to 168. Each window is exported ten minutes after its end.",
  ),
  filter: optionalName(
    "Filter for the runs to export, in the trace filter language. Defaults to all runs. A change restarts the export.",
  ).register(fieldMetadata, { replaces: true }),
  exportFields: fixed(
    z.array(knownValue("BulkExportField")).min(1).register(fieldMetadata, { compare: "set" }).optional(),
    "Fields of a run to export, in the API's spelling (`run_type`) and in any order. Defaults to all fields. An " +
      "export without `inputs` and `outputs` is faster and much smaller.",
  ),
  format: choice("BulkExportFormat", "Format of the files"),
  // An import reads it, and a program need not declare it.
  formatVersion: choice("BulkExportFormatVersion", "Version of the file layout").register(fieldMetadata, {
    replaces: true,
    compare: "givenCaseless",
  }),
  compression: choice("BulkExportCompression", "Compression of the files"),
  extra: extraInput("A change restarts the export.", { replaces: true }),
  allowDuplicate: optionalFlag(
    "Whether to create the export even if an equivalent one is already active in the workspace. Defaults to " +
      "false. Has no effect on an existing export.",
  ).register(fieldMetadata, { effect: "none" }),
};

type ExportInputs = z.infer<z.ZodObject<typeof exportInputs>>;
type Window = "endTime" | "intervalHours";
export type DesiredExport = Omit<ExportInputs, Window> & { [K in Window]?: ExportInputs[K] | undefined };

/** Statuses that never change again (API `3.Export status`). */
const TERMINAL_STATUSES: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "CANCELLED", "TIMEDOUT"]);
export const hasEnded = (status: string | null | undefined) => status != null && TERMINAL_STATUSES.has(status);

export const outputs = {
  tenantId: z.string().describe("ID of the workspace that owns the export.").register(fieldMetadata, { stable: {} }),
  status: knownValue("BulkExportStatus")
    .describe(
      "Status when last read, in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT. " +
        "Servers may add other values.",
    )
    // A new export is CREATED (API `3.Export status`).
    .register(fieldMetadata, { absentMeans: "CREATED" }),
  ...timeOutputs,
};
export type State = z.infer<z.ZodObject<typeof outputs>>;

export const rules: readonly Rule<DesiredExport>[] = [
  {
    paths: ["sessionId", "allExperiments"],
    check: ({ sessionId, allExperiments }) => {
      if ((sessionId !== undefined) !== (allExperiments === true)) return undefined;
      return sessionId === undefined
        ? {
            path: "sessionId",
            reason:
              "is missing: specify the ID of a project, or allExperiments: true. The output tracingProjectId of a " +
              "deployment is empty if the server did not list the project; `pulumi up --refresh` reads it again.",
          }
        : { path: "allExperiments", reason: "cannot be combined with sessionId: specify one of the two." };
    },
  },
  knownValueRule<DesiredExport>("exportFields", "BulkExportField"),
  uuidRule<DesiredExport>("bulkExportDestinationId"),
  uuidRule<DesiredExport>("sessionId"),
  knownValueRule<DesiredExport>("format", "BulkExportFormat"),
  knownValueRule<DesiredExport>("formatVersion", "BulkExportFormatVersion"),
  knownValueRule<DesiredExport>("compression", "BulkExportCompression"),
];
