import { assertExportsInPlan } from "../../http/entitlements";
import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import * as v from "../../runtime/validation/schema";
import {
  createDestination,
  deleteDestination,
  getDestination,
  listDestinations,
  patchDestination,
  validateNewCredentials,
  validateNewDestination,
} from "./destinations";
import * as schemas from "./schemas";

const collectionPath = "/api/v1/bulk-exports/destinations";
const itemPath = `${collectionPath}/{destination_id}`;
const access = { requiresBothHeaders: true, assertAvailable: assertExportsInPlan } as const satisfies Partial<Route>;

/** Destinations of exports: API `4C`. */
export function destinationRoutes(settings: Pick<Settings, "interfaceOnly" | "platform">): Route[] {
  const isToday = settings.platform === "today";
  const schema = isToday ? schemas.newerDestination : schemas.destination;
  return [
    {
      method: "GET",
      path: collectionPath,
      name: "destination-list",
      isDescribed: false,
      ...access,
      summary: "List the destinations of exports",
      success: { status: 200, schema: v.list(schema), description: "The destinations of the workspace, newest first" },
      handle: listDestinations,
    },
    {
      method: "POST",
      path: collectionPath,
      name: "destination-create",
      isDescribed: true,
      ...access,
      summary: "Create a destination of exports",
      body: schemas.destinationCreateBody(settings),
      success: {
        status: 200,
        description: "The new destination",
        schema: settings.interfaceOnly ? schemas.createdId : schema,
      },
      errors: [400],
      prepare: validateNewDestination,
      handle: createDestination,
    },
    {
      method: "GET",
      path: itemPath,
      name: "destination",
      isDescribed: false,
      ...access,
      summary: "Retrieve a destination of exports",
      success: { status: 200, schema, description: "The destination, without its secrets" },
      handle: getDestination,
    },
    {
      method: "PATCH",
      path: itemPath,
      name: "destination-patch",
      isDescribed: false,
      ...access,
      summary: "Replace the credentials of a destination",
      body: isToday ? schemas.newerPatchBody : schemas.destinationPatchBody,
      success: { status: 200, schema, description: "The destination, without its secrets" },
      errors: [400],
      prepare: validateNewCredentials,
      handle: patchDestination,
    },
    {
      method: "DELETE",
      path: itemPath,
      name: "destination-delete",
      isDescribed: false,
      ...access,
      summary: "Delete a destination that no export refers to",
      success: { status: 204, description: "The destination is deleted" },
      errors: [409],
      handle: deleteDestination,
    },
  ];
}
