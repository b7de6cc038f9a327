import { assertListenersInPlan } from "../../http/entitlements";
import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { limits } from "../../runtime/limits";
import { required, string } from "../../runtime/validation/schema";
import { getListener, listListeners } from "../listeners";
import * as schemas from "../model/schemas";
import { listIntegrations, listRepositories } from "../sources/integrations";
import { createPushToken } from "../sources/push-tokens";
import * as sources from "../sources/schemas";
import { createUploadUrl, receiveUpload } from "../sources/uploads";

/** Sources and deployment targets: API `4A`. */
export function sourceRoutes(settings: RouteSettings): Route[] {
  return [...listenerRoutes, ...uploadRoutes(settings), ...gitAndImageRoutes];
}

const listenerRoutes: Route[] = [
  {
    method: "GET",
    path: "/v2/listeners",
    name: "listeners",
    isDescribed: true,
    summary: "List listeners",
    query: { limit: schemas.listQuery.limit, offset: schemas.listQuery.offset },
    success: { status: 200, schema: sources.listenersList, description: "The listeners of the workspace" },
    assertAvailable: assertListenersInPlan,
    handle: listListeners,
  },
  {
    method: "GET",
    path: "/v2/listeners/{listener_id}",
    name: "listener",
    isDescribed: false,
    summary: "Retrieve a listener",
    success: { status: 200, schema: sources.listener, description: "The listener" },
    assertAvailable: assertListenersInPlan,
    handle: getListener,
  },
];

function uploadRoutes({ interfaceOnly, platform }: RouteSettings): Route[] {
  const uploadUrl: Omit<Route, "path" | "name" | "isDescribed"> = {
    method: "POST",
    summary: "Obtain an object path for a source tarball",
    // The interface has no body; newer servers accept one.
    ...(interfaceOnly ? {} : { body: sources.uploadUrlBody, bodyOptional: true }),
    success: { status: 200, schema: sources.uploadUrl, description: "The upload URL and the object path" },
    errors: [400, 409],
    handle: createUploadUrl,
  };
  return [
    // The interface has the path without a version; real servers have it below /v2, and that of today only there.
    ...(platform === "today"
      ? []
      : [
          {
            ...uploadUrl,
            path: "/deployments/{deployment_id}/upload-url",
            name: "upload-url",
            isDescribed: true,
          } as const,
        ]),
    { ...uploadUrl, path: "/v2/deployments/{deployment_id}/upload-url", name: "upload-url-v2", isDescribed: false },
    {
      method: "PUT",
      path: "/uploads/{upload_id}",
      name: "upload",
      isDescribed: true,
      summary: "Upload a source tarball",
      query: { signature: required(string()) },
      rawBody: { contentType: "application/gzip", maxBytes: limits.tarball.maxBytes },
      isPublic: true,
      success: { status: 200, description: "The tarball is stored" },
      errors: [400, 403],
      handle: receiveUpload,
    },
  ];
}

const gitAndImageRoutes: Route[] = [
  {
    method: "GET",
    path: "/v1/integrations/githost/install",
    name: "integrations",
    isDescribed: true,
    summary: "List the integrations with the git host",
    success: { status: 200, schema: sources.integrationsList, description: "The integrations of the workspace" },
    handle: listIntegrations,
  },
  {
    method: "GET",
    path: "/v1/integrations/githost/{integration_id}/repos",
    name: "repositories",
    isDescribed: false,
    summary: "List the repositories of an integration",
    success: { status: 200, schema: sources.repositoriesList, description: "The repositories" },
    handle: listRepositories,
  },
  {
    method: "POST",
    path: "/v2/deployments/{deployment_id}/push-token",
    name: "push-token",
    isDescribed: false,
    summary: "Create a token for pushing an image",
    body: sources.pushTokenBody,
    bodyOptional: true,
    success: { status: 200, schema: sources.pushToken, description: "The token and the registry" },
    errors: [400, 409],
    handle: createPushToken,
  },
];
