/** Objects as the tracing API accepts and returns them, and as functions return them (API `2C` and `4C`). */
import { z } from "zod";
import { receivedOf } from "../../schema/extra";
import { remoteId } from "../../schema/id";
import { fieldMetadata, isPropertyMap, optionalFlag, optionalName, optionalText } from "../../schema/schema";
import type { DeepPartialNullable, Nullish } from "../json-client";
import { knownValue } from "../known-values";

const texts = (description: string) => z.array(z.string()).optional().describe(description);
const tenantId = optionalText("ID of the workspace.");
const createdAt = optionalText("Time of creation.");
const updatedAt = optionalText("Time of the last change.");

const addressing = z
  .looseObject({
    addressingStyle: knownValue("S3AddressingStyle")
      .optional()
      .describe(
        "Where URLs contain the bucket name: in the host name (`virtual`), in the path (`path`), or chosen by " +
          "the server (`auto`). Defaults to `auto`.",
      ),
  })
  .register(fieldMetadata, { interface: "S3ConfigKwargsArgs" });

export const s3Config = z
  .strictObject({
    bucketName: z.string().min(1).describe("Name of an existing bucket, 3 to 63 characters."),
    prefix: optionalText(
      "Prefix of the keys in the bucket, without a leading slash. Defaults to the root of the bucket.",
    ).register(fieldMetadata, { compare: "prefix" }),
    region: optionalName("Region of the bucket. For other S3-compatible stores, set `endpointUrl` instead.").register(
      fieldMetadata,
      { compare: "caseless" },
    ),
    endpointUrl: optionalName("URL of another S3-compatible store. Defaults to the cloud object store.").register(
      fieldMetadata,
      { compare: "url" },
    ),
    includeBucketInPrefix: z
      .boolean()
      .register(fieldMetadata, { absentMeans: true })
      .optional()
      .describe(
        "Whether keys begin with the bucket name. Set to false if `endpointUrl` already contains the bucket. " +
          "Defaults to true.",
      ),
    configKwargsS3: addressing
      .optional()
      .describe("Options of the server's S3 client. Further keys are passed through unchanged."),
    s3AdditionalKwargs: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Further arguments of each upload, such as encryption, under the names of the server's S3 client."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportDestinationConfigArgs",
    description: "A bucket, and how the server accesses it.",
  });

export const destinationSchema = z
  .object({
    id: z.string().describe("ID of the destination, for `bulkExportDestinationId` of an export."),
    tenantId,
    displayName: optionalText("Name of the destination."),
    destinationType: knownValue("BulkExportDestinationType").optional().describe("Type of the object store."),
    config: s3Config.optional().describe("Bucket and prefix."),
    credentialsKeys: texts("Names of the stored credentials; the server never returns their values."),
    awsRoleArn: optionalText("Role that the platform assumes in place of an access key."),
    createdAt,
    updatedAt,
  })
  .register(fieldMetadata, {
    interface: "BulkExportDestinationInfo",
    description: "A bucket to which exports are written.",
  });
export type Destination = Nullish<Omit<z.infer<typeof destinationSchema>, "id">> & { id: string };

/** Responses contain the names of credentials alone, or a mask in any form, which is not read. */
export const destinationBodySchema = destinationSchema.extend({
  credentials: z
    .object({ accessKeyId: z.string(), secretAccessKey: z.string(), sessionToken: z.string().optional() })
    .optional(),
});
export type DestinationBody = Partial<Omit<z.infer<typeof destinationBodySchema>, "id">>;

export const exportSchema = z
  .object({
    id: z.string().describe("ID of the export."),
    tenantId,
    bulkExportDestinationId: optionalText("ID of the destination."),
    sessionId: optionalText("ID of the exported project; absent where all experiments are exported."),
    allExperiments: optionalFlag("Whether all experiments of the workspace are exported."),
    startTime: optionalText("Start of the time window, inclusive."),
    endTime: optionalText("End of the time window, exclusive; absent for a schedule."),
    intervalHours: z.int().optional().describe("Interval of a schedule, in hours; absent for a one-time export."),
    filter: optionalText("Filter for runs; absent where all runs are exported."),
    exportFields: z
      .array(knownValue("BulkExportField"))
      .optional()
      .describe("Exported fields of each run; absent where all fields are exported."),
    format: knownValue("BulkExportFormat").optional().describe("Format of the files."),
    formatVersion: knownValue("BulkExportFormatVersion").optional().describe("Version of the format."),
    compression: knownValue("BulkExportCompression").optional().describe("Compression of the files."),
    status: knownValue("BulkExportStatus")
      .optional()
      .describe(
        "Status in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED, TIMEDOUT, or another value " +
          "that the server uses.",
      ),
    sourceBulkExportId: optionalText("ID of the schedule that created the export; absent for other exports."),
    createdAt,
    updatedAt,
    finishedAt: optionalText("Time at which the export finished; absent until then."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportInfo",
    description: "A one-time export, a schedule, or an export that a schedule created.",
  });
type ExportFields = z.infer<typeof exportSchema>;
export type Export = Nullish<Omit<ExportFields, "id">> & { id: string };
export type ExportBody = Partial<Omit<ExportFields, "id">>;

/** Removes an empty text or list, and zero, which some servers return in place of an absent field. */
export function withoutEmptyFields<T extends Export>(remote: T): T {
  const isEmpty = (value: unknown) => value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
  const filled = Object.entries(remote).map(([key, value]) => [key, isEmpty(value) ? undefined : value]);
  return { ...remote, ...Object.fromEntries(filled) };
}

const runResult = z
  .object({
    rowsWritten: z.number().optional().describe("Number of rows written."),
    exportedFiles: texts("Keys of the files in the bucket."),
    exportPath: optionalText("Path of the files in the bucket."),
  })
  .register(fieldMetadata, { interface: "BulkExportRunResultInfo", description: "What a run has written." });

const runMetadata = z
  .object({
    prefix: optionalText("Prefix of the export in the bucket."),
    startTime: optionalText("Start of the time window, inclusive."),
    endTime: optionalText("End of the time window, exclusive."),
    result: runResult.optional().describe("Written rows and files; absent until the run has finished."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportRunMetadataInfo",
    description: "The time window and the result of a run.",
  });

/** The export of one day of one project. */
export const exportRunSchema = z
  .object({
    id: z.string().describe("ID of the run."),
    bulkExportId: optionalText("ID of the export."),
    status: knownValue("BulkExportStatus").optional().describe("Status in upper case."),
    retryNumber: z.int().optional().describe("Number of retries."),
    errors: z.record(z.string(), z.unknown()).optional().describe("Errors by attempt: `retry_0` is the first."),
    metadata: runMetadata.optional().describe("Time window and result of the run."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportRunInfo",
    description: "A run of an export, for one day of one project.",
  });
export type ExportRun = DeepPartialNullable<z.infer<typeof exportRunSchema>> & { id: string };

/** A tracing project; an experiment if it has a reference data set (API `4C.4`). */
export const projectSchema = z
  .object({
    id: z.string().describe("ID of the project, for `sessionId` of an export."),
    name: optionalText("Name of the project. The project of a deployment has the name of the deployment."),
    tenantId,
    startTime: optionalText("Time of creation."),
    referenceDatasetId: optionalText("ID of the data set of an experiment; absent for other projects."),
  })
  .register(fieldMetadata, { interface: "ProjectInfo" });
export type Project = Nullish<Omit<z.infer<typeof projectSchema>, "id">> & { id: string };

export const workspaceSchema = z
  .object({
    id: z.string().describe("ID of the workspace."),
    displayName: optionalText("Name of the workspace; absent where the server does not return it."),
  })
  .register(fieldMetadata, { interface: "WorkspaceInfo" });
export type Workspace = Nullish<Omit<z.infer<typeof workspaceSchema>, "id">> & { id: string };

export type WithId<T> = Partial<T> & { id: string };

/** Converts the status to upper case, as in the interface, and a role in the configuration to its field. */
export function withId<T>(object: { id?: unknown; status?: unknown; awsRoleArn?: unknown }): WithId<T> | undefined {
  if (!remoteId.safeParse(object.id).success) return undefined;
  const { status, awsRoleArn } = object;
  const { config } = receivedOf(object) ?? {};
  const role = awsRoleArn ?? (isPropertyMap(config) ? config.aws_role_arn : undefined);
  return {
    ...object,
    ...(typeof status === "string" && { status: status.toUpperCase() }),
    ...((role === null || typeof role === "string") && { awsRoleArn: role }),
  } as WithId<T>;
}
