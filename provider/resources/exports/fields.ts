/** Inputs and outputs that one-time and scheduled exports share (API `2C.Export job`). */
import { z } from "zod";
import { KNOWN_VALUES, knownValue } from "../../api/known-values";
import { optionalFlag, optionalName } from "../../schema/optional";
import { fieldMetadata } from "../../schema/schema";
import { timeOutputs, timestamp } from "../../schema/time-fields";

const formatValues = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(", ");

export const commonInputs = {
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
  allExperiments: z
    .boolean()
    .register(fieldMetadata, { absentMeans: false })
    .optional()
    .describe(
      "Whether to export all experiments that the workspace has when the export runs. Defaults to false. A change restarts the export.",
    )
    .register(fieldMetadata, { replaces: true }),
  startTime: timestamp
    .describe(
      "Start of the time window, inclusive: only runs that started at this time or later are exported. UTC. A change restarts the export.",
    )
    .register(fieldMetadata, { replaces: true }),
  filter: optionalName(
    "Filter for the runs to export, in the trace filter language. Defaults to all runs. A change restarts the export.",
  ).register(fieldMetadata, { replaces: true }),
  exportFields: z
    .array(knownValue("BulkExportField"))
    .min(1)
    .register(fieldMetadata, { compare: "set" })
    .optional()
    .describe(
      "Fields of a run to export, in the API's spelling (`run_type`) and in any order. Defaults to all fields. An export without `inputs` and `outputs` is faster and much smaller. A change restarts the export.",
    )
    .register(fieldMetadata, { replaces: true }),
  format: knownValue("BulkExportFormat")
    .optional()
    .describe(
      `Format of the files: ${formatValues(KNOWN_VALUES.BulkExportFormat)}. Defaults to the server's choice. A change restarts the export.`,
    )
    .register(fieldMetadata, { replaces: true }),
  formatVersion: knownValue("BulkExportFormatVersion")
    .optional()
    .describe(
      `Version of the file layout: ${formatValues(KNOWN_VALUES.BulkExportFormatVersion)}. Defaults to the server's choice. A change restarts the export.`,
    )
    .register(fieldMetadata, { replaces: true }),
  compression: knownValue("BulkExportCompression")
    .optional()
    .describe(
      `Compression of the files: ${formatValues(KNOWN_VALUES.BulkExportCompression)}. Defaults to the server's choice. A change restarts the export.`,
    )
    .register(fieldMetadata, { replaces: true }),
  allowDuplicate: optionalFlag(
    "Whether to create the export even if an equivalent one is already active in the workspace. Defaults to false. Has no effect on an existing export.",
  ).register(fieldMetadata, { effect: "none" }),
};

export type DesiredExport = z.infer<z.ZodObject<typeof commonInputs>> & {
  endTime?: string | undefined;
  intervalHours?: number | undefined;
};

export const outputs = {
  tenantId: z.string().describe("ID of the workspace that owns the export.").register(fieldMetadata, { stable: {} }),
  status: knownValue("BulkExportStatus")
    .describe(
      "Status when last read, in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT. Servers may add other values.",
    )
    // A new export is CREATED (API `3.Export status`).
    .register(fieldMetadata, { absentMeans: "CREATED" }),
  ...timeOutputs,
};
export type State = z.infer<z.ZodObject<typeof outputs>>;
