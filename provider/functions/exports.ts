/** The functions for bulk exports: destinations, exports and runs (API `4C`). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import { knownValue } from "../api/known-values";
import { s3Config } from "../api/tracing/s3-config";
import { HttpError } from "../http/errors";
import { fieldMetadata } from "../schema/schema";
import { batched, coalesced } from "./batch";
import { requireOne } from "./by-name";
import { defineFunction, optionalName } from "./definition";

const text = (what: string) => z.string().optional().describe(what);
const texts = (what: string) => z.array(z.string()).optional().describe(what);
const tenantId = text("ID of the workspace.");
const createdAt = text("Time of creation.");
const updatedAt = text("Time of the last change.");

const destinationInfo = z
  .object({
    id: z.string().describe("ID of the destination, for `bulkExportDestinationId` of an export."),
    tenantId,
    displayName: text("Name of the destination."),
    destinationType: knownValue("BulkExportDestinationType").optional().describe("Type of the object store."),
    config: s3Config.optional().describe("Bucket and prefix."),
    credentialsKeys: texts("Names of the stored credentials; the server never returns their values."),
    createdAt,
    updatedAt,
  })
  .register(fieldMetadata, {
    interface: "BulkExportDestinationInfo",
    description: "A bucket to which exports are written.",
  });

const exportInfo = z
  .object({
    id: z.string().describe("ID of the export."),
    tenantId,
    bulkExportDestinationId: text("ID of the destination."),
    sessionId: text("ID of the exported project; absent where all experiments are exported."),
    allExperiments: z.boolean().optional().describe("Whether all experiments of the workspace are exported."),
    startTime: text("Start of the time window, inclusive."),
    endTime: text("End of the time window, exclusive; absent for a schedule."),
    intervalHours: z.int().optional().describe("Interval of a schedule, in hours; absent for a one-time export."),
    filter: text("Filter for runs; absent where all runs are exported."),
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
        "Status in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED, TIMEDOUT, or another value that the server uses.",
      ),
    sourceBulkExportId: text("ID of the schedule that created the export; absent for other exports."),
    createdAt,
    updatedAt,
    finishedAt: text("Time at which the export finished; absent until then."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportInfo",
    description: "A one-time export, a schedule, or an export that a schedule created.",
  });

const runResult = z
  .object({
    rowsWritten: z.number().optional().describe("Number of rows written."),
    exportedFiles: texts("Keys of the files in the bucket."),
    exportPath: text("Path of the files in the bucket."),
  })
  .register(fieldMetadata, { interface: "BulkExportRunResultInfo", description: "What a run has written." });

const runMetadata = z
  .object({
    prefix: text("Prefix of the export in the bucket."),
    startTime: text("Start of the time window, inclusive."),
    endTime: text("End of the time window, exclusive."),
    result: runResult.optional().describe("Written rows and files; absent until the run has finished."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportRunMetadataInfo",
    description: "The time window and the result of a run.",
  });

const runInfo = z
  .object({
    id: z.string().describe("ID of the run."),
    bulkExportId: text("ID of the export."),
    status: knownValue("BulkExportStatus").optional().describe("Status in upper case."),
    retryNumber: z.int().optional().describe("Number of retries."),
    errors: z.record(z.string(), z.unknown()).optional().describe("Errors by attempt: `retry_0` is the first."),
    metadata: runMetadata.optional().describe("Time window and result of the run."),
  })
  .register(fieldMetadata, {
    interface: "BulkExportRunInfo",
    description: "A run of an export, for one day of one project.",
  });

/** The most objects that are read by ID; for more, the list is read, which has no pages. */
const MAX_SINGLE_READS = 2;

/** Reads many objects from the list, where the server has one. Reads an object that is not listed by itself, for its error. */
function batchedById<T extends { id?: unknown }>(
  list: (clients: Clients) => Promise<T[]>,
  get: (id: string, clients: Clients) => Promise<T>,
): (clients: Clients, id: string) => Promise<T> {
  return batched<Clients, T>(async (ids, clients) => {
    const listed = ids.length > MAX_SINGLE_READS ? await list(clients).catch(emptyIfUnsupported) : [];
    const readOne = (id: string) => get(id, clients).catch((error: Error) => error);
    return Promise.all(ids.map((id) => listed.find((item) => item.id === id) ?? readOne(id)));
  });
}

function emptyIfUnsupported(error: unknown): never[] {
  if (error instanceof HttpError && error.isUnsupportedRoute) return [];
  throw error;
}

const listDestinations = coalesced(({ tracing }: Clients) => tracing.listDestinations());

export const getBulkExportDestination = defineFunction({
  name: "getBulkExportDestination",
  description: "Returns one destination of bulk exports, by its ID or its exact name.",
  example: { plain: '{ displayName: "Data lake" }' },
  args: z.strictObject({
    id: optionalName("ID of the destination. Specify either `id` or `displayName`."),
    displayName: optionalName("Exact name of the destination. Specify either `id` or `displayName`."),
  }),
  exactlyOne: ["id", "displayName"],
  result: destinationInfo,
  read: async ({ id, displayName = "" }, clients) =>
    id === undefined
      ? requireOne(destinationLister, displayName, await listDestinations(clients))
      : findDestination(clients, id),
});
const findDestination = batchedById(listDestinations, (id, { tracing }) => tracing.getDestination(id));
const destinationLister = {
  noun: "destination",
  argument: "displayName",
  nameOf: (item: Destination) => item.displayName,
  idOf: (item: Destination) => item.id,
};
type Destination = Awaited<ReturnType<typeof listDestinations>>[number];

export const getBulkExportDestinations = defineFunction({
  name: "getBulkExportDestinations",
  description: "Returns all destinations of bulk exports in the workspace.",
  example: { plain: "" },
  args: z.strictObject({}),
  result: z.array(destinationInfo),
  read: (_args, clients) => listDestinations(clients),
});

export const getBulkExport = defineFunction({
  name: "getBulkExport",
  description:
    "Returns one bulk export by its ID: a one-time export, a schedule, or an export that a schedule created.",
  example: { plain: "{ id: exportId }", output: "{ id: january.id }" },
  section: "4C",
  args: z.strictObject({ id: z.string().min(1).describe("ID of the export.") }),
  result: exportInfo,
  read: ({ id }, clients) => findExport(clients, id),
});

const listExports = coalesced(({ tracing }: Clients) => tracing.listExports());
const findExport = batchedById(listExports, (id, { tracing }) => tracing.getExport(id));

export const getBulkExports = defineFunction({
  name: "getBulkExports",
  description:
    "Returns all bulk exports of the workspace: one-time exports, schedules, and exports that schedules created.",
  example: { plain: "" },
  args: z.strictObject({}),
  result: z.array(exportInfo),
  read: (_args, clients) => listExports(clients),
});

export const getBulkExportRuns = defineFunction({
  name: "getBulkExportRuns",
  description: "Returns the runs of an export, one per day and project, or of all exports that a schedule created.",
  example: { plain: "{ bulkExportId: exportId }", output: "{ bulkExportId: january.id }" },
  args: z.strictObject({
    bulkExportId: optionalName("ID of the export. Specify either `bulkExportId` or `sourceBulkExportId`."),
    sourceBulkExportId: optionalName(
      "ID of the schedule that created the exports. Specify either `bulkExportId` or `sourceBulkExportId`.",
    ),
  }),
  exactlyOne: ["bulkExportId", "sourceBulkExportId"],
  result: z.array(runInfo),
  read: ({ bulkExportId, sourceBulkExportId = "" }, { tracing }) =>
    bulkExportId === undefined ? tracing.listSpawnedRuns(sourceBulkExportId) : tracing.listExportRuns(bulkExportId),
});
