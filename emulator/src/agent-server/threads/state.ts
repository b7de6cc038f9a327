import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import { unknownGraph } from "../assistants/find";
import type { Graph } from "../graphs/built-in";
import { findGraph } from "../graphs/of-deployment";
import type { Agent } from "../requests/auth";
import { checkpointRef, stateResponse, unknownStateResponse } from "../responses";
import type { CheckpointBody, HistoryBody, StateBody } from "../schemas";
import { traitsOf } from "../server/server-traits";
import {
  type CheckpointRecord,
  checkpointById,
  checkpointsOf,
  latestCheckpoint,
  type State,
  seqFrom,
} from "./checkpoints";
import { contains } from "./json-index";
import type { ThreadRecord } from "./records";
import { requireThread } from "./threads";
import { applyUpdates, GraphError, updateStatus } from "./update-state";

/** GET /threads/{thread_id}/state */
export function getState(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, graph } = requireLive(context, agent, request);
  const latest = latestCheckpoint(context.store, thread);
  return { status: 200, body: stateResponse(context, thread, latest && withLiveGraph(graph, latest)) };
}

/** Returns a thread, and its graph if it has one. Real servers read no states of a graph that they do not have. */
function requireLive(context: Context, agent: Agent, request: ApiRequest): { thread: ThreadRecord; graph?: Graph } {
  const thread = requireThread(context, agent, request);
  const { graph_id: id } = thread.metadata;
  if (context.settings.interfaceOnly || typeof id !== "string") return { thread };
  const graph = findGraph(context, agent, id);
  if (graph) return { thread, graph };
  throw unknownGraph(context, agent, id);
}

/** Real servers compute what runs next with the graph that is live: a node that it no longer has never does. */
function withLiveGraph(graph: Graph | undefined, checkpoint: CheckpointRecord): CheckpointRecord {
  if (!graph) return checkpoint;
  const exists = (node: string) => graph.acceptsAnyNode || node.startsWith("__") || graph.nodes.includes(node);
  const { next, tasks } = checkpoint;
  return {
    ...checkpoint,
    next: next.filter(exists),
    tasks: tasks.filter(({ name, error }) => error !== null || exists(name)),
  };
}

/** GET /threads/{thread_id}/state/{checkpoint_id} */
export function getStateAt(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread } = requireLive(context, agent, request);
  return { status: 200, body: stateAt(context, thread, request.params.checkpoint_id ?? "") };
}

/** POST /threads/{thread_id}/state/checkpoint: the state at the checkpoint of the body; by default the latest. */
export function findState(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread } = requireLive(context, agent, request);
  const { checkpoint_id: id, checkpoint_ns } = (request.body as CheckpointBody).checkpoint;
  const latest = () => stateResponse(context, thread, latestCheckpoint(context.store, thread, checkpoint_ns));
  return { status: 200, body: id === undefined ? latest() : stateAt(context, thread, id) };
}

/** The description says nothing about a checkpoint that does not exist; real servers return an empty state. */
function stateAt(context: Context, thread: ThreadRecord, id: string) {
  const checkpoint = checkpointById(context.store, thread, id);
  if (checkpoint?.is_transient === 0) return stateResponse(context, thread, checkpoint);
  if (!context.settings.interfaceOnly) return unknownStateResponse(context, thread, id);
  throw new ApiError(404, `Checkpoint ${id} not found in thread ${thread.id}`);
}

/** POST /threads/{thread_id}/state: adds a checkpoint after the latest or the named one. */
export function postState(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { values, as_node, checkpoint, checkpoint_id } = request.body as StateBody;
  if (thread.status === "busy") throw new ApiError(409, `Thread ${thread.id} is busy: a run is in flight`);
  const from = checkpoint?.checkpoint_id ?? checkpoint_id;
  const namespace = checkpoint?.checkpoint_ns ?? "";
  const base =
    from == null ? latestCheckpoint(context.store, thread, namespace) : requireCheckpoint(context, thread, from);
  const updates = [values ?? null].flat().map((item) => ({ values: readValues(item), as_node }));
  const created = applyOrFail(context, () => applyUpdates(context, agent, thread, { updates, base, namespace }));
  updateStatus(context, thread, created);
  const reference = checkpointRef(thread, created.id, namespace);
  const isPython = context.settings.agentServer === "python";
  const more = isPython && { checkpoint_id: created.id, configurable: reference };
  return { status: 200, body: { checkpoint: reference, ...more } };
}

/** The server in JavaScript fails for a node that does not exist, as if it were its own fault. */
function applyOrFail<T>(context: Context, apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    const isExplained = error instanceof GraphError || !(error instanceof ApiError);
    if (isExplained || traitsOf(context).explainsSupersteps) throw error;
    throw new ApiError(500, "Internal Server Error");
  }
}

function readValues(values: unknown): State | null {
  if (values === null || isObject(values)) return values;
  throw new ApiError(422, "body.values: Input should be a valid dictionary, or a list of those");
}

/** POST /threads/{thread_id}/history: newest first. */
export function readHistory(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread } = requireLive(context, agent, request);
  const { limit: requested, before, metadata, checkpoint } = request.body as HistoryBody;
  // Where a server accepts any limit, the store does not.
  const limit = Math.min(Math.max(requested, 0), Number.MAX_SAFE_INTEGER);
  // The server in Python returns the checkpoint itself, if the request names one.
  const named = context.settings.agentServer === "python" ? checkpoint?.checkpoint_id : undefined;
  const single = named === undefined ? undefined : checkpointById(context.store, thread, named);
  if (named !== undefined) return page(context, thread, single ? [single] : []);
  const namespace = checkpoint?.checkpoint_ns ?? "";
  const range = {
    namespace,
    ...(before != null && { before: seqFrom(context.store, thread, checkpointIdOf(context, before)) }),
  };
  if (metadata === undefined) return page(context, thread, checkpointsOf(context.store, thread, { ...range, limit }));
  const all = checkpointsOf(context.store, thread, { ...range, limit: Number.MAX_SAFE_INTEGER });
  return page(context, thread, all.filter((checkpoint) => contains(checkpoint.metadata, metadata)).slice(0, limit));
}

/** GET /threads/{thread_id}/history: the same, of the graph of the thread. */
export function getHistory(
  context: Context,
  agent: Agent,
  { query: { limit, before }, ...request }: ApiRequest<{ limit: number; before?: string }>,
): ApiResponse {
  const named = traitsOf(context).readsBeforeObject ? { configurable: { checkpoint_id: before } } : before;
  const body = { limit, ...(before !== undefined && { before: named }) };
  return readHistory(context, agent, { ...request, query: {}, body });
}

function page(context: Context, thread: ThreadRecord, checkpoints: CheckpointRecord[]): ApiResponse {
  return { status: 200, body: checkpoints.map((checkpoint) => stateResponse(context, thread, checkpoint)) };
}

/** `before` is a configuration that names a checkpoint, or in JavaScript its ID. */
function checkpointIdOf(context: Context, before: unknown): string {
  if (!traitsOf(context).readsBeforeObject) return String(before);
  const { configurable } = before as { configurable?: unknown };
  // The server in Python fails here, as if it were its own fault.
  if (!isObject(configurable)) throw new ApiError(500, "Internal Server Error");
  return String(configurable.checkpoint_id);
}

function requireCheckpoint({ store }: Context, thread: ThreadRecord, id: string): CheckpointRecord {
  const checkpoint = checkpointById(store, thread, id);
  if (checkpoint) return checkpoint;
  throw new ApiError(404, `Checkpoint ${id} not found in thread ${thread.id}`);
}
