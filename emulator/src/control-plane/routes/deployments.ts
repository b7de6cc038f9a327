import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import * as v from "../../runtime/validation/schema";
import { deleteDeployment, deleteDeployments } from "../deletion";
import { createDeployment, getDeployment, listDeployments, patchDeployment } from "../deployments";
import * as schemas from "../model/schemas";
import { countFree } from "../model/stored";
import { deleteManyQuery, deletions } from "../sources/schemas";

const deployment = "/v2/deployments/{deployment_id}";

/** Returns the fields of requests and responses on each platform. */
function schemasOf({ strict, interfaceOnly, platform }: Pick<Settings, "strict" | "interfaceOnly" | "platform">) {
  if (platform === "today")
    return {
      deploymentSchema: schemas.newerDeployment,
      listSchema: schemas.newerDeploymentsList,
      listQuery: schemas.todaysListQuery,
      createBody: schemas.newerCreateBody,
      patchBody: schemas.newerPatchBody,
      deleteQuery: { force: v.boolean(), delete_tracing_project: v.boolean() },
    };
  return {
    deploymentSchema: schemas.deployment,
    listSchema: schemas.deploymentsList,
    listQuery: interfaceOnly ? schemas.listQuery : schemas.newerListQuery,
    createBody: schemas.createBody({ checksName: !interfaceOnly, tolerant: !strict && !interfaceOnly }),
    patchBody: schemas.patchBody,
    deleteQuery: undefined,
  };
}

/** API `4A.GET /v2/deployments/free-count`. Before the route of one deployment, whose ID it is not. */
const freeCountRoute: Route = {
  method: "GET",
  path: "/v2/deployments/free-count",
  name: "free-count",
  isDescribed: false,
  summary: "Count the free deployments",
  success: {
    status: 200,
    schema: v.object("FreeCount", { count: v.required(v.integer()) }),
    description: "How many deployments of the workspace are free",
  },
  handle: (context, { tenantId }) => ({ status: 200, body: { count: countFree(context, tenantId) } }),
};

/** Deployments: API `4A`. */
export function deploymentRoutes(settings: Pick<Settings, "strict" | "interfaceOnly" | "platform">): Route[] {
  const { deploymentSchema, listSchema, listQuery, createBody, patchBody, deleteQuery } = schemasOf(settings);
  return [
    ...(settings.platform === "today" ? [freeCountRoute] : []),
    {
      method: "GET",
      path: "/v2/deployments",
      name: "list",
      isDescribed: true,
      summary: "List deployments",
      query: listQuery,
      success: { status: 200, schema: listSchema, description: "A page of deployments, newest first" },
      handle: listDeployments,
    },
    {
      method: "POST",
      path: "/v2/deployments",
      name: "create",
      isDescribed: true,
      summary: "Create a deployment",
      body: createBody,
      success: { status: 201, schema: deploymentSchema, description: "The new deployment" },
      errors: [409],
      handle: createDeployment,
    },
    {
      method: "GET",
      path: deployment,
      name: "get",
      isDescribed: true,
      summary: "Retrieve a deployment",
      success: { status: 200, schema: deploymentSchema, description: "The deployment" },
      handle: getDeployment,
    },
    {
      method: "PATCH",
      path: deployment,
      name: "patch",
      isDescribed: true,
      summary: "Update a deployment",
      body: patchBody,
      success: { status: 200, schema: deploymentSchema, description: "The deployment after the update" },
      errors: [409],
      handle: patchDeployment,
    },
    {
      method: "DELETE",
      path: deployment,
      name: "delete",
      isDescribed: false,
      summary: "Delete a deployment",
      ...(deleteQuery && { query: deleteQuery }),
      success: { status: 204, description: "The deletion has started" },
      handle: deleteDeployment,
    },
    {
      method: "DELETE",
      path: "/v2/deployments",
      name: "delete-many",
      isDescribed: false,
      summary: "Delete several deployments",
      query: deleteManyQuery,
      success: { status: 200, schema: deletions, description: "All deletions have started" },
      partialSuccess: {
        status: 207,
        schema: deletions,
        description: "Some deletions have started; some deployments do not exist",
      },
      errors: [404],
      handle: deleteDeployments,
    },
  ];
}
