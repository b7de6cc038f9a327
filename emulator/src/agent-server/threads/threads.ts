import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError, PartialError } from "../../runtime/errors";
import { cleanMetadata } from "../assistants/reserved";
import { type Agent, ownerMetadata } from "../requests/auth";
import { threadResponse, ttlResponse } from "../responses";
import type { CreateBody, PatchBody, PruneBody } from "../schemas";
import { traitsOf } from "../server/server-traits";
import { copyCheckpoints, latestCheckpoint, pruneHistory } from "./checkpoints";
import { contains } from "./json-index";
import { deleteThreadRecord, insertThread, type ThreadRecord, type Ttl, threadById, updateThread } from "./records";
import { applySupersteps, GraphError, updateStatus } from "./update-state";

/** Returns the thread of the request path. @throws ApiError 404 if it does not exist or belongs to another user. */
export function requireThread(context: Context, agent: Agent, request: Pick<ApiRequest, "params">): ThreadRecord {
  const id = request.params.thread_id ?? "";
  const thread = findThread(context, agent, id);
  if (thread) return thread;
  throw new ApiError(404, `Thread with ID ${id} not found`);
}

/** Returns a thread if the user may see it. */
export function findThread(context: Context, agent: Agent, id: string): ThreadRecord | undefined {
  const thread = threadById(context.store, agent.deployment.id, id);
  return thread && contains(thread.metadata, ownerMetadata(context, agent)) ? thread : undefined;
}

/** POST /threads */
export function createThread(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread_id: id = randomUUID(), if_exists, ttl = null, metadata, supersteps } = request.body as CreateBody;
  const existing = threadById(context.store, agent.deployment.id, id);
  if (existing) {
    const visible = findThread(context, agent, id);
    // Servers do nothing to the thread, but apply the supersteps to it (API `4B.POST /threads:existing`).
    if (if_exists === "do_nothing" && visible) return startState(context, agent, visible, supersteps);
    throw new ApiError(409, `Thread with ID ${id} already exists`);
  }
  const ownedMetadata = { ...cleanMetadata(context, metadata), ...ownerMetadata(context, agent) };
  const thread = insertThread(context, {
    id,
    deployment_id: agent.deployment.id,
    metadata: ownedMetadata,
    ttl: supportedTtl(context, ttl),
  });
  return startState(context, agent, thread, supersteps);
}

const supportedTtl = (context: Context, ttl: Ttl | null) => (traitsOf(context).hasTtl ? ttl : null);

/** Applies supersteps. Where one fails, the thread exists by now, and stays (API `2B.Superstep:failure`). */
function startState(
  context: Context,
  agent: Agent,
  thread: ThreadRecord,
  supersteps: CreateBody["supersteps"],
): ApiResponse {
  try {
    applySupersteps(context, agent, thread, supersteps);
    // In JavaScript, only runs set the status.
    const isPython = context.settings.agentServer === "python";
    if (supersteps.length > 0 && isPython) updateStatus(context, thread, latestCheckpoint(context.store, thread));
  } catch (error) {
    if (!(error instanceof ApiError) || typeof error.detail !== "string") throw error;
    const { explainsSupersteps } = traitsOf(context);
    if (!(error instanceof GraphError))
      throw explainsSupersteps ? new PartialError(400, error.detail) : new PartialError(500, "Internal Server Error");
    if (!explainsSupersteps) throw new PartialError(error.status, error.detail);
    // API `2B.Superstep:201`.
    const detail = `Thread ${thread.id} was created, but there were problems updating the state: ${error.detail}`;
    return { status: 201, body: { detail } };
  }
  return { status: 200, body: threadResponse(context, thread) };
}

/** POST /threads/{thread_id}/copy: an independent thread with the same history. An unknown source is 409. */
export function copyThread(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const from = findThread(context, agent, request.params.thread_id ?? "");
  if (!from) throw new ApiError(409, `Thread with ID ${request.params.thread_id} cannot be copied: it was not found`);
  const { metadata, deployment_id, state_updated_at } = from;
  const id = randomUUID();
  const ownMetadata = traitsOf(context).removesReserved ? metadata : { ...metadata, thread_id: id };
  const to = insertThread(context, { id, deployment_id, metadata: ownMetadata, state_updated_at });
  updateThread(context, to, { head: copyCheckpoints(context.store, from, to) });
  return { status: 200, body: threadResponse(context, to) };
}

/** GET /threads/{thread_id} */
export function getThread(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { include = "" } = request.query as { include?: string };
  const isTtlIncluded = include.split(",").includes("ttl");
  return {
    status: 200,
    body: { ...threadResponse(context, thread), ...(isTtlIncluded && ttlResponse(context, thread)) },
  };
}

/** PATCH /threads/{thread_id}: merges metadata at the top level; no key is removed. */
export function patchThread(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { metadata, ttl } = request.body as PatchBody;
  updateThread(context, thread, {
    ...(metadata && {
      metadata: { ...thread.metadata, ...cleanMetadata(context, metadata), ...ownerMetadata(context, agent) },
    }),
    ...(ttl !== undefined && { ttl: supportedTtl(context, ttl) }),
  });
  const isMinimal = traitsOf(context).hasMinimalResponses && request.header("prefer") === "return=minimal";
  return isMinimal ? { status: 204 } : { status: 200, body: threadResponse(context, thread) };
}

/** POST /threads/prune: threads that do not exist are not counted. */
export function pruneThreads(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread_ids, strategy } = request.body as PruneBody;
  const threads = [...new Set(thread_ids)].flatMap((id) => findThread(context, agent, id) ?? []);
  for (const thread of threads) {
    if (strategy === "delete") deleteThreadRecord(context, thread);
    else pruneHistory(context, thread);
  }
  return { status: 200, body: { pruned_count: threads.length } };
}

/** DELETE /threads/{thread_id}: deletes its history and runs as well. */
export function deleteThread(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  deleteThreadRecord(context, requireThread(context, agent, request));
  return { status: 204 };
}
