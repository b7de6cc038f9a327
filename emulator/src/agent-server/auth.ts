import { createHash } from "node:crypto";
import { isDeleting } from "../control-plane/lookup";
import { type DeploymentRecord, deploymentById } from "../control-plane/model/records";
import { authenticate } from "../http/auth";
import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";

type Header = (name: string) => string | undefined;

/** The agent server that a request reached, and who asks. */
export interface Agent {
  deployment: DeploymentRecord;
  /** Under custom auth the user, who sees only threads of their own. */
  user: string | undefined;
}

/** 404 for a deployment that is not there, 503 before its first revision is DEPLOYED and once its deletion has begun. */
export function requireServing({ store }: Context, deploymentId: string): DeploymentRecord {
  const deployment = deploymentById(store, deploymentId.toLowerCase());
  if (!deployment) throw new ApiError(404, "Not Found");
  if (deployment.active_revision_id !== null && !isDeleting(deployment)) return deployment;
  throw new ApiError(503, "The agent server is not running");
}

/** Lets a request in, as `--agent-auth` says: 401 without credentials, 403 with wrong ones. */
export function admit(context: Context, deploymentId: string, header: Header): Agent {
  const deployment = requireServing(context, deploymentId);
  const { agentAuth } = context.settings;
  if (agentAuth === "key") {
    // A deployment is of one workspace: which one need not be said.
    authenticate(context, (name) => (name === "x-tenant-id" ? deployment.tenant_id : header(name)));
  }
  return { deployment, user: agentAuth === "custom" ? userOf(header) : undefined };
}

/** The bearer token is the user's name; a key, which is a secret, is told by its digest. */
function userOf(header: Header): string {
  const token = /^bearer +(.+)$/i.exec(header("authorization") ?? "")?.[1];
  if (token) return token;
  const key = header("x-api-key");
  if (!key) throw new ApiError(401, "Not authenticated: send Authorization: Bearer <user>, or X-Api-Key");
  return `key-${createHash("sha256").update(key).digest("hex").slice(0, 8)}`;
}

// A method, so that a handler may ask for the narrower query that its route lets through.
type AgentHandler = { handle(context: Context, agent: Agent, request: ApiRequest): ApiResponse }["handle"];

/** A handler of an agent server's route. */
export function onAgent(handle: AgentHandler) {
  return (context: Context, request: ApiRequest): ApiResponse =>
    handle(context, admit(context, request.params.deployment_id ?? "", request.header), request);
}

/** The metadata that marks what is the user's own (interface.md section 2 B); none without custom auth. */
export function ownerMark({ vocabulary }: Pick<Context, "vocabulary">, { user }: Agent): Record<string, string> {
  return user === undefined ? {} : { [vocabulary.fieldName("agentgraph_auth_user_id")]: user };
}
