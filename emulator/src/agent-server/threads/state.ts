import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import type { Agent } from "../auth";
import { checkpointRef, stateResponse } from "../responses";
import type { CheckpointBody, HistoryBody, StateBody } from "../schemas";
import { type CheckpointRecord, checkpointById, checkpointsOf, latestCheckpoint, type State } from "./checkpoints";
import { contains } from "./json-index";
import type { ThreadRecord } from "./records";
import { requireThread } from "./threads";
import { applyUpdates, updateStatus } from "./update-state";

/** GET /threads/{thread_id}/state */
export function getState(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  return { status: 200, body: stateResponse(context, thread, latestCheckpoint(context.store, thread)) };
}

/** GET /threads/{thread_id}/state/{checkpoint_id} */
export function getStateAt(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  return {
    status: 200,
    body: stateResponse(context, thread, requireCheckpoint(context, thread, request.params.checkpoint_id ?? "")),
  };
}

/** POST /threads/{thread_id}/state/checkpoint: the state at the checkpoint of the body; by default the latest. */
export function findState(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { checkpoint_id: id } = (request.body as CheckpointBody).checkpoint;
  const checkpoint =
    id === undefined ? latestCheckpoint(context.store, thread) : requireCheckpoint(context, thread, id);
  return { status: 200, body: stateResponse(context, thread, checkpoint) };
}

/** POST /threads/{thread_id}/state: adds a checkpoint after the latest or the named one. */
export function postState(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { values, as_node, checkpoint, checkpoint_id } = request.body as StateBody;
  if (thread.status === "busy") throw new ApiError(409, `Thread ${thread.id} is busy: a run is in flight`);
  const from = checkpoint?.checkpoint_id ?? checkpoint_id;
  const base = from == null ? latestCheckpoint(context.store, thread) : requireCheckpoint(context, thread, from);
  const updates = [values ?? null].flat().map((item) => ({ values: readValues(item), as_node }));
  const created = applyUpdates(context, agent, thread, { updates, base });
  updateStatus(context, thread, created);
  return { status: 200, body: { checkpoint: checkpointRef(thread, created.id) } };
}

function readValues(values: unknown): State | null {
  if (values === null || isObject(values)) return values;
  throw new ApiError(422, "body.values: Input should be a valid dictionary, or a list of those");
}

/** POST /threads/{thread_id}/history: newest first. */
export function readHistory(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { limit, before, metadata } = request.body as HistoryBody;
  const beforeSeq = before == null ? undefined : requireCheckpoint(context, thread, checkpointIdOf(before)).seq;
  if (metadata === undefined) return page(context, thread, checkpointsOf(context.store, thread, limit, beforeSeq));
  const all = checkpointsOf(context.store, thread, Number.MAX_SAFE_INTEGER, beforeSeq);
  return page(context, thread, all.filter((checkpoint) => contains(checkpoint.metadata, metadata)).slice(0, limit));
}

function page(context: Context, thread: ThreadRecord, checkpoints: CheckpointRecord[]): ApiResponse {
  return { status: 200, body: checkpoints.map((checkpoint) => stateResponse(context, thread, checkpoint)) };
}

/** `before` is an ID, a checkpoint, or a configuration that names one. */
function checkpointIdOf(before: unknown): string {
  if (typeof before === "string") return before;
  const configuration = isObject(before) && isObject(before.configurable) ? before.configurable : before;
  if (isObject(configuration) && typeof configuration.checkpoint_id === "string") return configuration.checkpoint_id;
  throw new ApiError(422, "before: expected the ID of a checkpoint, or an object with checkpoint_id");
}

export function requireCheckpoint({ store }: Context, thread: ThreadRecord, id: string): CheckpointRecord {
  const checkpoint = checkpointById(store, thread, id);
  if (checkpoint) return checkpoint;
  throw new ApiError(404, `Checkpoint ${id} not found in thread ${thread.id}`);
}
