/** The functions for tracing projects, workspaces and bulk exports (API `4C`). */
import { z } from "zod";
import type { Clients } from "../api/clients";
import {
  destinationSchema,
  exportRunSchema,
  exportSchema,
  type Project,
  projectSchema,
  workspaceSchema,
} from "../api/tracing/schemas";
import { inPlaceOf } from "../http/errors";
import { optionalName } from "../schema/schema";
import { defineFunction } from "./definition";
import { batched, batchedByName, coalesced, requireOne } from "./shared/by-name";

const findProject = batchedByName<Clients, Project>({
  noun: "tracing project",
  nameOf: ({ name }) => name,
  idOf: ({ id }) => id,
  search: (name, { tracing }) => tracing.listProjects(name),
  pages: ({ tracing }) => tracing.listProjects(),
});

export const getProject = defineFunction({
  name: "getProject",
  description: "Returns one tracing project, by its exact name. Each deployment has a project with its own name.",
  example: { plain: '{ name: "support-agent" }' },
  args: z.strictObject({ name: z.string().min(1).describe("Exact name of the project.") }),
  result: projectSchema,
  read: ({ name }, clients) => findProject(clients, name),
});

export const getWorkspace = defineFunction({
  name: "getWorkspace",
  description: "Returns one workspace, by its ID.",
  example: { plain: "" },
  section: "4C",
  args: z.strictObject({ id: optionalName("ID of the workspace. Defaults to that of the settings.") }),
  result: workspaceSchema,
  async read({ id }, { tracing, workspaces }) {
    if (id === undefined) await workspaces.require();
    return tracing.getWorkspace(id ?? workspaces.id ?? "");
  },
});

/** The most objects that are read by ID; for more, the list is read, which has no pages. */
const MAX_SINGLE_READS = 2;

/** Reads many objects from the list, if there is one that can be read; an unlisted one by itself, for its error. */
function batchedById<T extends { id?: unknown }>(
  list: (clients: Clients) => Promise<T[]>,
  get: (id: string, clients: Clients) => Promise<T>,
): (clients: Clients, id: string) => Promise<T> {
  return batched<Clients, T>(async (ids, clients) => {
    const emptyIfUnusable = inPlaceOf(({ isUnsupportedRoute, isUnexpected }) => isUnsupportedRoute || isUnexpected, []);
    const listed = ids.length > MAX_SINGLE_READS ? await list(clients).catch(emptyIfUnusable) : [];
    const readOne = (id: string) => get(id, clients).catch((error: Error) => error);
    return Promise.all(ids.map((id) => listed.find((item) => item.id === id) ?? readOne(id)));
  });
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
  exactlyOne: [["id", "displayName"]],
  result: destinationSchema,
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
  result: z.array(destinationSchema),
  read: (_args, clients) => listDestinations(clients),
});

export const getBulkExport = defineFunction({
  name: "getBulkExport",
  description:
    "Returns one bulk export by its ID: a one-time export, a schedule, or an export that a schedule created.",
  example: { plain: "{ id: exportId }", output: "{ id: january.id }" },
  section: "4C",
  args: z.strictObject({ id: z.string().min(1).describe("ID of the export.") }),
  result: exportSchema,
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
  result: z.array(exportSchema),
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
  exactlyOne: [["bulkExportId", "sourceBulkExportId"]],
  result: z.array(exportRunSchema),
  read: ({ bulkExportId, sourceBulkExportId = "" }, { tracing }) =>
    bulkExportId === undefined ? tracing.listSpawnedRuns(sourceBulkExportId) : tracing.listExportRuns(bulkExportId),
});
