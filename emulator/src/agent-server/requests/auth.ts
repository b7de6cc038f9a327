import { createHash } from "node:crypto";
import { isDeleting } from "../../control-plane/lookup";
import { type DeploymentRecord, deploymentById } from "../../control-plane/model/records";
import { authenticate } from "../../http/auth";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { traitsOf } from "../server/server-traits";

type Header = (name: string) => string | undefined;

/** The agent server of a request, and its user. */
export interface Agent {
  deployment: DeploymentRecord;
  /** The user under custom authentication, who sees only their own threads. */
  user: string | undefined;
}

/**
 * Returns a deployment that is live. @throws ApiError 404 if it does not exist, 503 before its first revision is live
 * and while it is deleted.
 */
export function requireLiveDeployment({ store }: Context, deploymentId: string): DeploymentRecord {
  const deployment = deploymentById(store, deploymentId.toLowerCase());
  if (!deployment) throw new ApiError(404, "Not Found");
  if (deployment.active_revision_id !== null && !isDeleting(deployment)) return deployment;
  throw new ApiError(503, "The agent server is not running");
}

/**
 * Authenticates a request according to `--agent-auth`. @throws ApiError 401 without credentials, 403 with invalid ones.
 */
export function authorizeAgentRequest(context: Context, deploymentId: string, header: Header): Agent {
  const deployment = requireLiveDeployment(context, deploymentId);
  const { agentAuth } = context.settings;
  if (agentAuth === "key") {
    // A deployment belongs to one workspace, so requests need not name it.
    authenticate(context, (name) => (name === "x-tenant-id" ? deployment.tenant_id : header(name)));
  }
  return { deployment, user: agentAuth === "custom" ? userOf(header) : undefined };
}

/** Authenticates a request that requires credentials on one of the servers alone. @throws ApiError as above */
export function authorizePublicRequest(context: Context, deploymentId: string, header: Header, path: string): void {
  const { settings } = context;
  const isProtected = settings.agentAuth === "custom" && path === "/ok" && traitsOf(context).protectsHealth;
  if (isProtected) authorizeAgentRequest(context, deploymentId, header);
  else requireLiveDeployment(context, deploymentId);
}

/** Returns the bearer token as the user's name, or a digest of the API key, which is secret. */
function userOf(header: Header): string {
  const token = /^bearer +(.+)$/i.exec(header("authorization") ?? "")?.[1];
  if (token) return token;
  const key = header("x-api-key");
  if (!key) throw new ApiError(401, "Not authenticated: send Authorization: Bearer <user>, or X-Api-Key");
  return `key-${createHash("sha256").update(key).digest("hex").slice(0, 8)}`;
}

// Method syntax allows a handler to declare the narrower query of its route.
type AgentHandler = { handle(context: Context, agent: Agent, request: ApiRequest): ApiResponse }["handle"];

/** Wraps a handler of an agent server: authenticates the request first. */
export function agentHandler(handle: AgentHandler) {
  return (context: Context, request: ApiRequest): ApiResponse =>
    handle(context, authorizeAgentRequest(context, request.params.deployment_id ?? "", request.header), request);
}

/**
 * Returns the metadata that marks a user's own objects (API `2B.agentgraph_auth_user_id`); empty without custom
 * authentication.
 */
export function ownerMetadata({ vocabulary }: Pick<Context, "vocabulary">, { user }: Agent): Record<string, string> {
  return user === undefined ? {} : { [vocabulary.fieldName("agentgraph_auth_user_id")]: user };
}
