import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import { deleteDeployment, deleteDeployments } from "../deletion";
import { createDeployment, getDeployment, listDeployments, patchDeployment } from "../deployments";
import * as schemas from "../model/schemas";
import { deleteManyQuery, deletions } from "../sources/schemas";

const deployment = "/v2/deployments/{deployment_id}";

/** Deployments: API `4A`. */
export function deploymentRoutes({ strict, interfaceOnly }: Pick<Settings, "strict" | "interfaceOnly">): Route[] {
  const createBody = schemas.createBody({ checksName: !interfaceOnly, tolerant: !strict && !interfaceOnly });
  return [
    {
      method: "GET",
      path: "/v2/deployments",
      name: "list",
      isDescribed: true,
      summary: "List deployments",
      query: interfaceOnly ? schemas.listQuery : schemas.newerListQuery,
      success: { status: 200, schema: schemas.deploymentsList, description: "A page of deployments, newest first" },
      handle: listDeployments,
    },
    {
      method: "POST",
      path: "/v2/deployments",
      name: "create",
      isDescribed: true,
      summary: "Create a deployment",
      body: createBody,
      success: { status: 201, schema: schemas.deployment, description: "The new deployment" },
      errors: [409],
      handle: createDeployment,
    },
    {
      method: "GET",
      path: deployment,
      name: "get",
      isDescribed: true,
      summary: "Retrieve a deployment",
      success: { status: 200, schema: schemas.deployment, description: "The deployment" },
      handle: getDeployment,
    },
    {
      method: "PATCH",
      path: deployment,
      name: "patch",
      isDescribed: true,
      summary: "Update a deployment",
      body: schemas.patchBody,
      success: { status: 200, schema: schemas.deployment, description: "The deployment after the update" },
      errors: [409],
      handle: patchDeployment,
    },
    {
      method: "DELETE",
      path: deployment,
      name: "delete",
      isDescribed: false,
      summary: "Delete a deployment",
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
