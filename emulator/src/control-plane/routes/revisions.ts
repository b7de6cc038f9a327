import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import * as schemas from "../model/schemas";
import { createRevision, getRevision, interrupt, listRevisions, redeployRevision } from "../revisions";

const deployment = "/v2/deployments/{deployment_id}";
const revision = `${deployment}/revisions/{revision_id}`;

/** Revisions: API `4A`. */
export function revisionRoutes({ interfaceOnly, platform }: Pick<Settings, "interfaceOnly" | "platform">): Route[] {
  const newerSchema = platform === "today" ? schemas.newerRevision : schemas.revision;
  const revisionSchema = interfaceOnly ? schemas.smallRevision : newerSchema;
  return [
    {
      method: "GET",
      path: `${deployment}/revisions`,
      name: "revisions-list",
      isDescribed: false,
      summary: "List revisions",
      query: schemas.revisionsQuery,
      success: {
        status: 200,
        schema: schemas.revisionsList(newerSchema),
        description: "A page of revisions, newest first",
      },
      handle: listRevisions,
    },
    {
      method: "POST",
      path: `${deployment}/revisions`,
      name: "revisions-post",
      isDescribed: false,
      summary: "Create a revision",
      body: schemas.revisionBody,
      success: { status: 201, schema: revisionSchema, description: "The new revision" },
      errors: [409],
      handle: createRevision,
    },
    {
      method: "GET",
      path: revision,
      name: "revision",
      isDescribed: true,
      summary: "Retrieve a revision",
      success: { status: 200, schema: revisionSchema, description: "The revision" },
      handle: getRevision,
    },
    {
      method: "POST",
      path: `${revision}/redeploy`,
      name: "redeploy",
      isDescribed: false,
      summary: "Redeploy a revision",
      success: {
        status: 200,
        schema: platform === "today" ? schemas.newerDeployment : schemas.deployment,
        description: "The deployment with its new revision",
      },
      errors: [409],
      handle: redeployRevision,
    },
    {
      method: "POST",
      path: `${revision}/interrupt`,
      name: "interrupt",
      isDescribed: false,
      summary: "Interrupt a revision",
      success: { status: 200, schema: revisionSchema, description: "The interrupted revision" },
      errors: [409],
      handle: interrupt,
    },
  ];
}
