import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { durations } from "../../runtime/limits";
import { isObject } from "../../runtime/validation/validator";
import { assertOneMirror, configurationOfRun } from "../assistants/configuration";
import { findAssistant } from "../assistants/find";
import { type Agent, ownerMetadata } from "../auth";
import { traitsOf } from "../server-traits";
import { insertThread, type ThreadRecord, threadById, threadBySeq, updateThread } from "../threads/records";
import { requireCheckpoint } from "../threads/state";
import { findThread, requireThread } from "../threads/threads";
import { cancelRun } from "./finish-run";
import {
  deleteRunRecord,
  hasEnded,
  insertRun,
  type RunRecord,
  runById,
  runsInFlight,
  runsInFlightOf,
  runsOf,
} from "./records";
import { scheduleStep } from "./schedule";
import type { CancelBody, RunBody } from "./schemas";

/**
 * How long the thread of a stateless run is kept, in minutes: longer than `instantHorizon`, so that `instant` does not
 * delete it at once.
 */
const statelessTtl = { strategy: "delete", ttl: 2 } as const;

/** POST /threads/{thread_id}/runs and POST /runs: responds immediately; scheduled jobs execute the run. */
export function createRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = startRun(context, agent, request);
  return { status: 200, body: runResponse(thread, run), headers: { "content-location": locationOf(thread, run) } };
}

/** POST /runs/batch: several stateless runs. */
export function createRuns(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const runs = (request.body as RunBody[]).map((body) => createRun(context, agent, { ...request, body }).body);
  return { status: 200, body: runs };
}

/** Starts a run on the thread of the path, or on a new one. */
export function startRun(
  context: Context,
  agent: Agent,
  request: ApiRequest,
): { thread: ThreadRecord; run: RunRecord } {
  const body = request.body as RunBody;
  if (traitsOf(context).mirrorsContext) assertOneMirror({ config: body.config ?? {}, context: body.context });
  const thread = threadForRun(context, agent, request, body);
  return { thread, run: enqueueRun(context, agent, thread, body) };
}

/**
 * Adds a run to a thread according to its multitask strategy. @throws ApiError 409 for `reject` if the thread is busy.
 */
export function enqueueRun(context: Context, agent: Agent, thread: ThreadRecord, request: RunBody): RunRecord {
  const { store, clock } = context;
  const assistant = findAssistant(context, agent, request.assistant_id);
  const { id: assistant_id, graph_id } = assistant;
  const from = request.checkpoint?.checkpoint_id ?? request.checkpoint_id;
  if (from != null) requireCheckpoint(context, thread, from);
  applyMultitaskStrategy(context, thread, request.multitask_strategy);
  const now = clock.isoNow();
  const isQueued = runsInFlight(store, thread.seq).length > 0;
  const run = insertRun(store, {
    id: randomUUID(),
    thread: thread.seq,
    assistant_id,
    graph_id,
    status: "pending",
    created_at: now,
    updated_at: now,
    started_at: null,
    error: null,
    spans: [],
    metadata: { ...assistant.metadata, ...request.metadata, ...ownerMetadata(context, agent) },
    request: { ...request, ...configurationOfRun(assistant, request) },
  });
  const { metadata, config } = thread;
  const configurable = { ...asObject(config.configurable), ...asObject(request.config?.configurable) };
  updateThread(context, thread, {
    status: "busy",
    error: null,
    config: { ...config, configurable },
    metadata: { ...metadata, graph_id, assistant_id },
  });
  if (!isQueued) scheduleStep(context, thread, run, durations.run.pending);
  return run;
}

function threadForRun(
  context: Context,
  agent: Agent,
  request: ApiRequest,
  { if_not_exists, on_completion }: RunBody,
): ThreadRecord {
  const { thread_id: id } = request.params;
  const base = { deployment_id: agent.deployment.id, metadata: ownerMetadata(context, agent) };
  if (id === undefined) {
    return insertThread(context, { ...base, id: randomUUID(), ttl: on_completion === "keep" ? null : statelessTtl });
  }
  if (if_not_exists === "reject" || threadById(context.store, agent.deployment.id, id))
    return requireThread(context, agent, request);
  return insertThread(context, { ...base, id });
}

function applyMultitaskStrategy(context: Context, thread: ThreadRecord, strategy: RunBody["multitask_strategy"]): void {
  const others = runsInFlight(context.store, thread.seq);
  if (strategy === "reject" && others.length > 0)
    throw new ApiError(
      409,
      `Thread ${thread.id} is already running a task: wait for it, or choose a different multitask strategy`,
    );
  if (strategy !== "interrupt" && strategy !== "rollback") return;
  // Newest first, so that no waiting run starts in between.
  for (const other of others.reverse()) cancelRun(context, thread, other, strategy);
}

/** GET /threads/{thread_id}/runs: newest first. */
export function listRuns(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ limit: number; offset: number; status?: string }>,
): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { limit, offset, status } = request.query;
  const matches = runsOf(context.store, thread.seq).filter((run) => (status ?? run.status) === run.status);
  return { status: 200, body: matches.slice(offset, offset + limit).map((run) => runResponse(thread, run)) };
}

/** GET /threads/{thread_id}/runs/{run_id} */
export function getRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  return { status: 200, body: runResponse(thread, run) };
}

/** POST /threads/{thread_id}/runs/{run_id}/cancel */
export function cancelRunRequest(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ action: "interrupt" | "rollback" }>,
): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  if (hasEnded(run)) throw new ApiError(409, `Run ${run.id} has ended as ${run.status} and cannot be cancelled`);
  cancelRun(context, thread, run, request.query.action);
  return { status: 202, body: {} };
}

/**
 * POST /runs/cancel: the named runs, or all unfinished runs of a status. @throws ApiError 404 if a named run does not
 * exist.
 */
export function cancelRunsRequest(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ action: "interrupt" | "rollback" }>,
): ApiResponse {
  const { thread_id, run_ids, status = "all" } = request.body as CancelBody;
  const named = run_ids?.map((run_id) => {
    const thread = thread_id ?? threadOf(context, run_id)?.id ?? "";
    return requireRun(context, agent, { params: { thread_id: thread, run_id } });
  });
  const inFlight = runsInFlightOf(context.store, agent.deployment.id).flatMap((run) => {
    const thread = threadBySeq(context.store, run.thread);
    const visible = thread && (thread_id ?? thread.id) === thread.id && findThread(context, agent, thread.id);
    return visible && (status === "all" || status === run.status) ? [{ thread: visible, run }] : [];
  });
  // Newest first, so that no waiting run starts in between.
  for (const { thread, run } of (named ?? inFlight).reverse()) cancelRun(context, thread, run, request.query.action);
  return { status: 204 };
}

function threadOf({ store }: Context, runId: string): ThreadRecord | undefined {
  const run = runById(store, runId);
  return run && threadBySeq(store, run.thread);
}

/** DELETE /threads/{thread_id}/runs/{run_id}: its changes to the thread remain. */
export function deleteRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { run } = requireRun(context, agent, request);
  if (!hasEnded(run)) throw new ApiError(409, `Run ${run.id} is still ${run.status}; cancel it before deleting it`);
  deleteRunRecord(context.store, run);
  return { status: 204 };
}

/** Returns the run of the request path with its thread. @throws ApiError 404 */
export function requireRun(
  context: Context,
  agent: Agent,
  request: Pick<ApiRequest, "params">,
): { thread: ThreadRecord; run: RunRecord } {
  const id = request.params.run_id ?? "";
  const thread = findThread(context, agent, request.params.thread_id ?? "");
  const run = runById(context.store, id);
  if (thread && run?.thread === thread.seq) return { thread, run };
  throw new ApiError(404, `Run ${id} not found in thread ${request.params.thread_id}`);
}

/** Returns the path of a run, for Content-Location. */
export function locationOf(thread: ThreadRecord, run: RunRecord): string {
  return `/threads/${thread.id}/runs/${run.id}`;
}

export function runResponse(thread: ThreadRecord, run: RunRecord): Record<string, unknown> {
  const { id, assistant_id, created_at, updated_at, status, metadata, request } = run;
  const { multitask_strategy, input = null, command = null, config, context } = request;
  const kwargs = { input, command, config: config ?? {}, context: context ?? {} };
  return {
    run_id: id,
    thread_id: thread.id,
    assistant_id,
    created_at,
    updated_at,
    status,
    metadata,
    kwargs,
    multitask_strategy,
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
