import { assertExportsInPlan } from "../../http/entitlements";
import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import { createdId } from "../destinations/schemas";
import { cancelExport, createExport, getExport, getRun, listExports, listRuns, listSpawnedRuns } from "./exports";
import * as schemas from "./schemas";

const collectionPath = "/api/v1/bulk-exports";
const itemPath = `${collectionPath}/{export_id}`;
const access = { requiresBothHeaders: true, assertAvailable: assertExportsInPlan } as const satisfies Partial<Route>;

/** Exports and their runs: API `4C`. */
export function exportRoutes(settings: Pick<Settings, "interfaceOnly" | "platform">): Route[] {
  const { interfaceOnly } = settings;
  const schema = interfaceOnly ? schemas.interfaceExport : schemas.fullExport;
  return [
    {
      method: "GET",
      path: collectionPath,
      name: "export-list",
      isDescribed: false,
      ...access,
      summary: "List exports",
      query: schemas.exportsQuery,
      success: { status: 200, schema: schemas.exportList, description: "The exports of the workspace, newest first" },
      handle: listExports,
    },
    {
      method: "POST",
      path: collectionPath,
      name: "export-create",
      isDescribed: true,
      ...access,
      summary: "Create an export, one-time or scheduled",
      body: schemas.exportCreateBody(settings),
      success: { status: 200, schema: interfaceOnly ? createdId : schema, description: "The new export" },
      errors: [400, 404, 429],
      handle: createExport,
    },
    {
      method: "GET",
      path: `${collectionPath}/runs`,
      name: "spawned-runs",
      isDescribed: false,
      ...access,
      summary: "List the runs of all exports that a schedule created",
      query: schemas.spawnedRunsQuery,
      success: { status: 200, schema: schemas.exportRunList, description: "The runs, in order" },
      errors: [404],
      handle: listSpawnedRuns,
    },
    {
      method: "GET",
      path: itemPath,
      name: "export",
      isDescribed: true,
      ...access,
      summary: "Retrieve an export",
      success: { status: 200, schema, description: "The export" },
      handle: getExport,
    },
    {
      method: "PATCH",
      path: itemPath,
      name: "export-cancel",
      isDescribed: false,
      ...access,
      summary: "Cancel an export",
      body: schemas.exportPatchBody,
      success: { status: 200, schema, description: "The canceled export" },
      errors: [409],
      handle: cancelExport,
    },
    {
      method: "GET",
      path: `${itemPath}/runs`,
      name: "export-runs",
      isDescribed: false,
      ...access,
      summary: "List the runs of an export",
      success: {
        status: 200,
        schema: schemas.exportRunList,
        description: "One run for each day and project, in order",
      },
      handle: listRuns,
    },
    {
      method: "GET",
      path: `${itemPath}/runs/{run_id}`,
      name: "export-run",
      isDescribed: false,
      ...access,
      summary: "Retrieve a run of an export",
      success: { status: 200, schema: schemas.exportRun, description: "The run" },
      handle: getRun,
    },
  ];
}
