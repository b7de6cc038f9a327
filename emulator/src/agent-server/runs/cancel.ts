import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import type { Agent } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { threadBySeq } from "../threads/records";
import { findThread } from "../threads/threads";
import { cancelRun } from "./execution/finish-run";
import { hasEnded, runsInFlightOf } from "./records";
import { locationOf } from "./responses";
import { findRun, requireRun } from "./runs";
import { type CancelBody, type CancelQuery, isSet } from "./schemas";

const CANCEL_PATH = "/threads/{thread_id}/runs/{run_id}/cancel";

/** POST /threads/{thread_id}/runs/{run_id}/cancel */
export function cancelRunRequest(context: Context, agent: Agent, request: ApiRequest<CancelQuery>): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  if (hasEnded(run) && traitsOf(context).cancelOfEnded === 404)
    throw new ApiError(404, `Run ${run.id} has ended as ${run.status} and cannot be cancelled`);
  cancelRun(context, thread, run, { action: actionOf(request.query), path: CANCEL_PATH });
  // A request that waits responds when the run has ended, which is at once here.
  const isPython = context.settings.agentServer === "python";
  if (!isSet(request.query.wait)) return { status: 202, ...(isPython && { body: {} }) };
  if (!isPython) return { status: 204 };
  const location = locationOf(thread, run);
  return { status: 200, headers: { "content-location": location, location: `${location}/join` }, body: {} };
}

/**
 * POST /runs/cancel: the named runs of a thread, or all unfinished runs of a status.
 * @throws ApiError 404 if there are none, or if all have ended, 422 for both or neither.
 */
export function cancelRunsRequest(context: Context, agent: Agent, request: ApiRequest<CancelQuery>): ApiResponse {
  const { thread_id, run_ids, status } = request.body as CancelBody;
  const names = [thread_id, run_ids].filter((name) => name !== undefined);
  if (names.length !== (status === undefined ? 2 : 0))
    throw new ApiError(422, "body: Expected either status, or thread_id and run_ids");
  const named = [...new Set(run_ids)].flatMap(
    (run_id) => findRun(context, agent, { params: { thread_id: thread_id ?? "", run_id } }) ?? [],
  );
  const found = status === undefined ? named : runsOfStatus(context, agent, status);
  const runs = found.filter(({ run }) => !hasEnded(run));
  if (runs.length === 0) throw new ApiError(404, "No runs found to cancel");
  // Newest first, so that no waiting run starts in between.
  for (const { thread, run } of runs.reverse())
    cancelRun(context, thread, run, { action: actionOf(request.query), path: "/runs/cancel" });
  return { status: 204 };
}

const actionOf = ({ action }: CancelQuery) => (action === "rollback" ? action : "interrupt");

/** Returns the unfinished runs that the user can see, oldest first. */
function runsOfStatus(context: Context, agent: Agent, status: CancelBody["status"]) {
  return runsInFlightOf(context.store, agent.deployment.id).flatMap((run) => {
    const { id = "" } = threadBySeq(context.store, run.thread) ?? {};
    const thread = findThread(context, agent, id);
    return thread && (status === "all" || status === run.status) ? [{ thread, run }] : [];
  });
}
