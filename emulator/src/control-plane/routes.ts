import { limits } from "../limits";
import type { Settings } from "../options";
import type { Route } from "../routes";
import { required, string } from "../validation/schema";
import { createDeployment, deleteDeployment, getDeployment, listDeployments, patchDeployment } from "./deployments";
import { listIntegrations } from "./integrations";
import { getListener, listListeners } from "./listeners";
import { readLogs } from "./logs";
import { createRevision, getRevision, interrupt, listRevisions, redeployRevision } from "./revisions";
import * as schemas from "./schemas";
import { createUploadUrl, takeUpload } from "./uploads";

const deployment = "/v2/deployments/{deployment_id}";
const revision = `${deployment}/revisions/{revision_id}`;

/** The operations of the control plane (interface.md section 4 A, interface-notes.md section 2). */
export function controlPlaneRoutes(settings: Pick<Settings, "strict" | "interfaceOnly">): Route[] {
  const { strict, interfaceOnly } = settings;
  const revisionSchema = interfaceOnly ? schemas.smallRevision : schemas.revision;
  const createBody = schemas.createBody({ named: !interfaceOnly, tolerant: !strict && !interfaceOnly });
  return [
    {
      ...{ method: "GET", path: "/v2/deployments", name: "list", inInterface: true, summary: "List deployments" },
      query: interfaceOnly ? schemas.listQuery : schemas.newerListQuery,
      success: { status: 200, schema: schemas.deploymentsList, description: "A page of deployments, newest first" },
      handle: listDeployments,
    },
    {
      ...{ method: "POST", path: "/v2/deployments", name: "create", inInterface: true, summary: "Create a deployment" },
      body: createBody,
      success: { status: 201, schema: schemas.deployment, description: "The new deployment" },
      errors: [409],
      handle: createDeployment,
    },
    {
      ...{ method: "GET", path: deployment, name: "get", inInterface: true, summary: "Retrieve a deployment" },
      success: { status: 200, schema: schemas.deployment, description: "The deployment" },
      handle: getDeployment,
    },
    {
      ...{ method: "PATCH", path: deployment, name: "patch", inInterface: true, summary: "Update a deployment" },
      body: schemas.patchBody,
      success: { status: 200, schema: schemas.deployment, description: "The deployment after the update" },
      errors: [409],
      handle: patchDeployment,
    },
    {
      ...{ method: "DELETE", path: deployment, name: "delete", inInterface: false, summary: "Delete a deployment" },
      success: { status: 204, description: "The deletion has begun" },
      handle: deleteDeployment,
    },
    {
      ...{
        method: "GET",
        path: `${deployment}/revisions`,
        name: "revisions-list",
        inInterface: false,
        summary: "List revisions",
      },
      query: schemas.revisionsQuery,
      success: { status: 200, schema: schemas.revisionsList, description: "A page of revisions, newest first" },
      handle: listRevisions,
    },
    {
      ...{
        method: "POST",
        path: `${deployment}/revisions`,
        name: "revisions-post",
        inInterface: false,
        summary: "Create a revision",
      },
      body: schemas.revisionBody,
      success: { status: 201, schema: revisionSchema, description: "The new revision" },
      errors: [409],
      handle: createRevision,
    },
    {
      ...{ method: "GET", path: revision, name: "revision", inInterface: true, summary: "Retrieve a revision" },
      success: { status: 200, schema: revisionSchema, description: "The revision" },
      handle: getRevision,
    },
    {
      ...{
        method: "POST",
        path: `${revision}/redeploy`,
        name: "redeploy",
        inInterface: false,
        summary: "Deploy a revision's content again",
      },
      success: { status: 200, schema: schemas.deployment, description: "The deployment with its new revision" },
      errors: [409],
      handle: redeployRevision,
    },
    {
      ...{
        method: "POST",
        path: `${revision}/interrupt`,
        name: "interrupt",
        inInterface: false,
        summary: "End a revision on its way",
      },
      success: { status: 200, schema: revisionSchema, description: "The interrupted revision" },
      errors: [409],
      handle: interrupt,
    },
    {
      ...{
        method: "GET",
        path: `${revision}/logs`,
        name: "logs",
        inInterface: false,
        summary: "Read a revision's logs",
      },
      query: schemas.logsQuery,
      success: { status: 200, schema: schemas.logsPage, description: "A page of log lines" },
      errors: [400],
      handle: readLogs,
    },
    {
      ...{ method: "GET", path: "/v2/listeners", name: "listeners", inInterface: true, summary: "List listeners" },
      query: { limit: schemas.listQuery.limit, offset: schemas.listQuery.offset },
      success: { status: 200, schema: schemas.listenersList, description: "The listeners of the workspace" },
      handle: listListeners,
    },
    {
      ...{
        method: "GET",
        path: "/v2/listeners/{listener_id}",
        name: "listener",
        inInterface: false,
        summary: "Retrieve a listener",
      },
      success: { status: 200, schema: schemas.listener, description: "The listener" },
      handle: getListener,
    },
    {
      ...{ method: "POST", path: "/deployments/{deployment_id}/upload-url", name: "upload-url", inInterface: true },
      summary: "Obtain an object path for a source tarball",
      success: { status: 200, schema: schemas.uploadUrl, description: "Where to put the tarball, and its path" },
      errors: [400, 409],
      handle: createUploadUrl,
    },
    {
      ...{
        method: "PUT",
        path: "/uploads/{upload_id}",
        name: "upload",
        inInterface: true,
        summary: "Put a source tarball",
      },
      query: { signature: required(string()) },
      raw: { contentType: "application/gzip", maxBytes: limits.tarball.maxBytes },
      open: true,
      success: { status: 200, description: "The tarball is there" },
      errors: [400, 403],
      handle: takeUpload,
    },
    {
      ...{ method: "GET", path: "/v1/integrations/githost/install", name: "integrations", inInterface: true },
      summary: "List the integrations with the git host",
      success: { status: 200, schema: schemas.integrationsList, description: "The integrations of the workspace" },
      handle: listIntegrations,
    },
  ];
}
