/** Destinations, exports and what came of them (interface section 4 C, interface-notes section 3). */
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
const tenantId = text("Workspace that it belongs to.");
const createdAt = text("When it was created.");
const updatedAt = text("When it last changed.");

const destinationInfo = z
  .object({
    id: z.string().describe("Id, as `bulkExportDestinationId` of an export takes it."),
    tenantId,
    displayName: text("Name of the destination."),
    destinationType: knownValue("BulkExportDestinationType").optional().describe("Type of the object store."),
    config: s3Config.optional().describe("Which bucket, and where in it."),
    credentialsKeys: texts("Names of the credentials that the service holds; it never tells their values."),
    createdAt,
    updatedAt,
  })
  .register(fieldMetadata, { interface: "BulkExportDestinationInfo" });

const exportInfo = z
  .object({
    id: z.string().describe("Id of the export."),
    tenantId,
    bulkExportDestinationId: text("Destination that it writes to."),
    sessionId: text("Project that it exports; absent where it exports all experiments."),
    allExperiments: z.boolean().optional().describe("Whether it exports every experiment of the workspace."),
    startTime: text("First moment whose runs are exported."),
    endTime: text("First moment whose runs are not; absent for a schedule."),
    intervalHours: z.number().optional().describe("Hours of each window of a schedule; absent for a one-time export."),
    filter: text("Which runs; all when absent."),
    exportFields: z.array(knownValue("BulkExportField")).optional().describe("Which fields of them; all when absent."),
    format: knownValue("BulkExportFormat").optional().describe("Format of the files."),
    formatVersion: knownValue("BulkExportFormatVersion").optional().describe("Version of the format."),
    compression: knownValue("BulkExportCompression").optional().describe("Compression of the files."),
    status: knownValue("BulkExportStatus")
      .optional()
      .describe(
        "CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT, or another word of the service, in upper case.",
      ),
    sourceBulkExportId: text("Schedule that spawned it; absent for all others."),
    createdAt,
    updatedAt,
    finishedAt: text("When it ended; absent until then."),
  })
  .register(fieldMetadata, { interface: "BulkExportInfo" });

const runResult = z
  .object({
    rowsWritten: z.number().optional().describe("Rows in its files."),
    exportedFiles: texts("Its files, as keys in the bucket."),
    exportPath: text("Where in the bucket they lie."),
  })
  .register(fieldMetadata, { interface: "BulkExportRunResultInfo" });

const runMetadata = z
  .object({
    prefix: text("Where in the bucket its export writes."),
    startTime: text("First moment whose runs it wrote."),
    endTime: text("First moment whose runs it did not."),
    result: runResult.optional().describe("What it wrote; absent until it has."),
  })
  .register(fieldMetadata, { interface: "BulkExportRunMetadataInfo" });

const runInfo = z
  .object({
    id: z.string().describe("Id of the run."),
    bulkExportId: text("Export that it is a part of."),
    status: knownValue("BulkExportStatus").optional().describe("Its status, in upper case."),
    retryNumber: z.number().optional().describe("How many times it was tried again."),
    errors: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("What went wrong, by attempt: `retry_0` is the first."),
    metadata: runMetadata.optional().describe("Which window it covers, and what it wrote."),
  })
  .register(fieldMetadata, { interface: "BulkExportRunInfo" });

/** So many are asked for by id; more are taken from their list, which has no pages. */
const MAX_SINGLE_READS = 2;

/** Of many the list is read, where the service has one; what it does not show is asked by itself, since only that answer says why. */
function batchedById<T extends { id?: unknown }>(
  list: (clients: Clients) => Promise<T[]>,
  get: (id: string, clients: Clients) => Promise<T>,
): (clients: Clients, id: string) => Promise<T> {
  return batched<Clients, T>(async (ids, clients) => {
    const listed = ids.length > MAX_SINGLE_READS ? await list(clients).catch(emptyIfUnsupported) : [];
    const one = (id: string) => get(id, clients).catch((error: Error) => error);
    return Promise.all(ids.map((id) => listed.find((item) => item.id === id) ?? one(id)));
  });
}

function emptyIfUnsupported(error: unknown): never[] {
  if (error instanceof HttpError && error.isUnsupportedRoute) return [];
  throw error;
}

const listDestinations = coalesced(({ tracing }: Clients) => tracing.listDestinations());

export const getBulkExportDestination = defineFunction({
  name: "getBulkExportDestination",
  description: "One destination of exports, by its id or its exact name.",
  example: { plain: '{ displayName: "Data lake" }' },
  args: z.strictObject({
    id: optionalName("Its id. This or `displayName`."),
    displayName: optionalName("Its exact name. This or `id`."),
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
  what: "destination",
  by: "displayName",
  nameOf: (item: Destination) => item.displayName,
  idOf: (item: Destination) => item.id,
};
type Destination = Awaited<ReturnType<typeof listDestinations>>[number];

export const getBulkExportDestinations = defineFunction({
  name: "getBulkExportDestinations",
  description: "All destinations of exports in the workspace.",
  example: { plain: "" },
  args: z.strictObject({}),
  result: z.array(destinationInfo),
  read: (_args, clients) => listDestinations(clients),
});

export const getBulkExport = defineFunction({
  name: "getBulkExport",
  description: "One export, by its id: one-time, a schedule, or what a schedule spawned.",
  example: { plain: "{ id: exportId }", output: "{ id: january.id }" },
  section: "4C",
  args: z.strictObject({ id: z.string().min(1).describe("Its id.") }),
  result: exportInfo,
  read: ({ id }, clients) => findExport(clients, id),
});

const listExports = coalesced(({ tracing }: Clients) => tracing.listExports());
const findExport = batchedById(listExports, (id, { tracing }) => tracing.getExport(id));

export const getBulkExports = defineFunction({
  name: "getBulkExports",
  description: "All exports of the workspace: one-time, schedules, and what schedules spawned.",
  example: { plain: "" },
  args: z.strictObject({}),
  result: z.array(exportInfo),
  read: (_args, clients) => listExports(clients),
});

export const getBulkExportRuns = defineFunction({
  name: "getBulkExportRuns",
  description: "The runs of an export, one a day and project, or of all that a schedule spawned.",
  example: { plain: "{ bulkExportId: exportId }", output: "{ bulkExportId: january.id }" },
  args: z.strictObject({
    bulkExportId: optionalName("The export. This or `sourceBulkExportId`."),
    sourceBulkExportId: optionalName("The schedule that spawned the exports. This or `bulkExportId`."),
  }),
  exactlyOne: ["bulkExportId", "sourceBulkExportId"],
  result: z.array(runInfo),
  read: ({ bulkExportId, sourceBulkExportId = "" }, { tracing }) =>
    bulkExportId === undefined ? tracing.listSpawnedRuns(sourceBulkExportId) : tracing.listExportRuns(bulkExportId),
});
