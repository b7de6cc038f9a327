/** Objects as the tracing API accepts and returns them (API `2C` and `4C`). */
import { z } from "zod";
import { s3Config } from "./s3-config";

const text = z.string().nullish();

export const destinationSchema = z.object({
  id: z.string(),
  tenantId: text,
  displayName: text,
  destinationType: text,
  config: s3Config.nullish(),
  /** Request only: responses contain the names alone. */
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: text }).nullish(),
  credentialsKeys: z.array(z.string()).nullish(),
  createdAt: text,
  updatedAt: text,
});
export type Destination = Partial<z.output<typeof destinationSchema>> & { id: string };
export type DestinationBody = Omit<Partial<z.input<typeof destinationSchema>>, "id">;

export const exportSchema = z.object({
  id: z.string(),
  tenantId: text,
  bulkExportDestinationId: text,
  sessionId: text,
  allExperiments: z.boolean().nullish(),
  startTime: text,
  endTime: text,
  intervalHours: z.number().nullish(),
  filter: text,
  exportFields: z.array(z.string()).nullish(),
  format: text,
  formatVersion: text,
  compression: text,
  /** In upper case, as in the interface. */
  status: text,
  sourceBulkExportId: text,
  createdAt: text,
  updatedAt: text,
  finishedAt: text,
});
export type Export = Partial<z.output<typeof exportSchema>> & { id: string };
export type ExportBody = Omit<Partial<z.input<typeof exportSchema>>, "id">;

/** The export of one day of one project. */
export const exportRunSchema = z.object({
  id: z.string(),
  bulkExportId: text,
  /** In upper case. */
  status: text,
  retryNumber: z.number().nullish(),
  /** By attempt: `retry_0`. */
  errors: z.record(z.string(), z.unknown()).nullish(),
  metadata: z
    .object({
      prefix: text,
      startTime: text,
      endTime: text,
      result: z
        .object({
          rowsWritten: z.number().nullish(),
          exportedFiles: z.array(z.string()).nullish(),
          exportPath: text,
        })
        .nullish(),
    })
    .nullish(),
});
export type ExportRun = Partial<z.output<typeof exportRunSchema>> & { id: string };

/** A tracing project; an experiment if it has a reference data set (API `4C.4`). */
export const projectSchema = z.object({
  id: z.string(),
  name: text,
  tenantId: text,
  startTime: text,
  referenceDatasetId: text,
});
export type Project = Partial<z.output<typeof projectSchema>> & { id: string };

export const workspaceSchema = z.object({ id: z.string(), displayName: text });
export type Workspace = Partial<z.output<typeof workspaceSchema>> & { id: string };
