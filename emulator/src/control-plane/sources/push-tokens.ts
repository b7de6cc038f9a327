import { randomBytes } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { requireUndeletedDeployment } from "../lookup";
import type { PushTokenBody } from "./schemas";

/** POST /v2/deployments/{deployment_id}/push-token: for pushing an image. No registry exists behind it. */
export function createPushToken(context: Context, request: ApiRequest): ApiResponse {
  const { id, name, source } = requireUndeletedDeployment(context, request);
  if (source !== "internal_docker") {
    // Published clients recognize the error by this text.
    throw new ApiError(400, "Push tokens are only available for 'internal_docker' source deployments");
  }
  const registry_url = `registry.example/${id}`;
  const includesUsername = (request.body as PushTokenBody).supports_registry_username === true;
  const extraFields = { username: "push", repository_url: `${registry_url}/${name}` };
  return {
    status: 200,
    body: { token: randomBytes(24).toString("base64url"), registry_url, ...(includesUsername && extraFields) },
  };
}
