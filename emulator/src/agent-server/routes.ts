import type { Context } from "../context";
import { isDeleting } from "../control-plane/lookup";
import { deploymentById } from "../control-plane/records";
import { ApiError } from "../errors";
import type { Answer, Call, Route } from "../routes";
import { boolean, object, required } from "../validation/schema";

/** The agent server of each deployment (interface-notes.md section 4), for now only whether it is there. */
export const agentServerRoutes: Route[] = [
  {
    ...{ method: "GET", path: "/agents/{deployment_id}/ok", name: "agent-ok", inInterface: false, open: true },
    summary: "Whether the agent server of a deployment serves",
    success: { status: 200, schema: object("Ok", { ok: required(boolean()) }), description: "It serves" },
    errors: [503],
    handle: readiness,
  },
];

/** A deployment serves once its first revision is DEPLOYED, and until its deletion begins. */
function readiness({ store }: Context, call: Call): Answer {
  const deployment = deploymentById(store, call.params.deployment_id ?? "");
  if (!deployment) throw new ApiError(404, "Not Found");
  const serves = deployment.active_revision_id !== null && !isDeleting(deployment);
  if (!serves) throw new ApiError(503, "The agent server is not running");
  return { status: 200, body: { ok: true } };
}
