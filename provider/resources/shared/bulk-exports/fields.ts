/** What one-time and scheduled exports have in common of what a user writes (interface section 2 C, "Export job"). */
import { z } from "zod";
import { KNOWN_VALUES, knownValue } from "../../../api/known-values";
import { fieldMetadata } from "../../../schema/schema";
import { parseTimestamp } from "../../../schema/timestamp";

const formatValues = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(", ");

export const timestamp = z
  .string()
  .refine((text) => parseTimestamp(text) !== undefined, {
    error: ({ input }) => `is no point in time: ${suggestTimestamp(input)}`,
  })
  .register(fieldMetadata, { compare: "instant" });

/** What to write instead of a text that names no instant. */
function suggestTimestamp(input: unknown): string {
  const corrected = [`${input}Z`, `${input}T00:00:00Z`].find((text) => parseTimestamp(text) !== undefined);
  return `write ${corrected ? `"${corrected}"` : 'it in UTC, as "2026-01-31T00:00:00Z"'}`;
}

export const commonInputs = {
  bulkExportDestinationId: z
    .string()
    .min(1)
    .describe("Id of the destination that the files go to. A change restarts it."),
  sessionId: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the tracing project to export. Either this or `allExperiments: true`. A change restarts it."),
  allExperiments: z
    .boolean()
    .register(fieldMetadata, { compare: "flag" })
    .optional()
    .describe(
      "Whether every experiment of the workspace is exported, as there are when it runs; false is the same as absent. A change restarts it.",
    ),
  startTime: timestamp.describe(
    "From when on runs are exported, by when they started; UTC, inclusive. A change restarts it.",
  ),
  filter: z
    .string()
    .min(1)
    .optional()
    .describe("Which runs are exported, in the trace filter language; all when absent. A change restarts it."),
  exportFields: z
    .array(knownValue("BulkExportField"))
    .min(1)
    .register(fieldMetadata, { compare: "set" })
    .optional()
    .describe(
      "Fields of a run to export, as the service spells them (`run_type`), in any order; all when absent. Without `inputs` and `outputs` it is faster and much smaller. A change restarts it.",
    ),
  format: knownValue("BulkExportFormat")
    .optional()
    .describe(
      `Format of the files: ${formatValues(KNOWN_VALUES.BulkExportFormat)}; the service decides when absent. A change restarts it.`,
    ),
  formatVersion: knownValue("BulkExportFormatVersion")
    .optional()
    .describe(
      `Version of the files' layout: ${formatValues(KNOWN_VALUES.BulkExportFormatVersion)}; the service decides when absent. A change restarts it.`,
    ),
  compression: knownValue("BulkExportCompression")
    .optional()
    .describe(
      `Compression of the files: ${formatValues(KNOWN_VALUES.BulkExportCompression)}; the service decides when absent. A change restarts it.`,
    ),
  allowDuplicate: z
    .boolean()
    .optional()
    .describe(
      "Whether it is created although an equal one is at work in the workspace already; false when absent. Changes nothing on the service.",
    ),
};

/** What is wanted of the service, of either kind. */
export type DesiredExport = z.infer<z.ZodObject<typeof commonInputs>> & {
  endTime?: string | undefined;
  intervalHours?: number | undefined;
};

/** Every input that the service is told; none of them can be changed there (interface-notes section 3). */
export const IMMUTABLE = [
  "bulkExportDestinationId",
  "sessionId",
  "allExperiments",
  "startTime",
  "filter",
  "exportFields",
  "format",
  "formatVersion",
  "compression",
] as const satisfies (keyof typeof commonInputs)[];

export const outputs = {
  tenantId: z.string().describe("Workspace that it belongs to."),
  status: knownValue("BulkExportStatus").describe(
    "CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT, or another word of the service, in upper case; as it was when last looked at.",
  ),
  createdAt: z.string().optional().describe("When it was created; absent where the service does not tell."),
  updatedAt: z.string().optional().describe("When it last changed; absent where the service does not tell."),
};
export type State = z.infer<z.ZodObject<typeof outputs>>;
