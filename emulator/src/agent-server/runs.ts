import { randomUUID } from "node:crypto";
import type { Context } from "../context";
import { ApiError } from "../errors";
import { durations } from "../limits";
import type { Answer, Call } from "../routes";
import { isObject } from "../validation/check";
import { findAssistant } from "./assistants";
import { type Agent, ownerMark } from "./gate";
import { changeThread, insertThread, type ThreadRecord, threadById } from "./records";
import { cancelRun } from "./run-ends";
import { hasEnded, insertRun, type RunRecord, runById, runsInFlight, runsOf } from "./run-records";
import { scheduleStep } from "./run-schedule";
import type { RunBody } from "./run-schemas";
import { requireCheckpoint } from "./thread-state";
import { findThread, requireThread } from "./threads";

/** POST /threads/{thread_id}/runs: answers at once; the run makes its way by due jobs. */
export function createRun(context: Context, agent: Agent, call: Call): Answer {
  const { thread, run } = startRun(context, agent, call);
  return { status: 200, body: runAnswer(thread, run), headers: { "content-location": locationOf(thread, run) } };
}

/** A new run on the thread that the path names. */
export function startRun(context: Context, agent: Agent, call: Call): { thread: ThreadRecord; run: RunRecord } {
  const request = call.body as RunBody;
  const thread = threadForRun(context, agent, call, request);
  return { thread, run: putRun(context, agent, thread, request) };
}

/** Puts a run on a thread, behind or instead of those that are in flight there; 409 where that was asked for. */
export function putRun(context: Context, agent: Agent, thread: ThreadRecord, request: RunBody): RunRecord {
  const { store, clock } = context;
  const { assistant_id, graph_id } = findAssistant(context, agent, request.assistant_id);
  const from = request.checkpoint?.checkpoint_id ?? request.checkpoint_id;
  if (from != null) requireCheckpoint(context, thread, from);
  makeRoom(context, thread, request.multitask_strategy);
  const now = clock.iso();
  const waits = runsInFlight(store, thread.seq).length > 0;
  const run = insertRun(store, {
    ...{
      id: randomUUID(),
      thread: thread.seq,
      assistant_id,
      graph_id,
      status: "pending",
      created_at: now,
      updated_at: now,
    },
    ...{
      started_at: null,
      error: null,
      spans: [],
      metadata: { ...request.metadata, ...ownerMark(context, agent) },
      request,
    },
  });
  const { metadata, config } = thread;
  const configurable = { ...asObject(config.configurable), ...asObject(request.config?.configurable) };
  changeThread(context, thread, {
    ...{ status: "busy", error: null, config: { ...config, configurable } },
    metadata: { ...metadata, graph_id, assistant_id },
  });
  if (!waits) scheduleStep(context, thread, run, durations.run.pending);
  return run;
}

function threadForRun(context: Context, agent: Agent, call: Call, { if_not_exists }: RunBody): ThreadRecord {
  const id = call.params.thread_id ?? "";
  if (if_not_exists === "reject" || threadById(context.store, agent.deployment.id, id))
    return requireThread(context, agent, call);
  return insertThread(context, { id, deployment_id: agent.deployment.id, metadata: ownerMark(context, agent) });
}

function makeRoom(context: Context, thread: ThreadRecord, strategy: RunBody["multitask_strategy"]): void {
  const others = runsInFlight(context.store, thread.seq);
  if (strategy === "reject" && others.length > 0)
    throw new ApiError(
      409,
      `Thread ${thread.id} is already running a task: wait for it, or choose a different multitask strategy`,
    );
  if (strategy !== "interrupt" && strategy !== "rollback") return;
  // The last first: none of those that wait is to begin in between.
  for (const other of others.reverse()) cancelRun(context, thread, other, strategy);
}

/** GET /threads/{thread_id}/runs: newest first. */
export function listRuns(
  context: Context,
  agent: Agent,
  call: Call<{ limit: number; offset: number; status?: string }>,
): Answer {
  const thread = requireThread(context, agent, call);
  const { limit, offset, status } = call.query;
  const matches = runsOf(context.store, thread.seq).filter((run) => (status ?? run.status) === run.status);
  return { status: 200, body: matches.slice(offset, offset + limit).map((run) => runAnswer(thread, run)) };
}

/** GET /threads/{thread_id}/runs/{run_id} */
export function getRun(context: Context, agent: Agent, call: Call): Answer {
  const { thread, run } = requireRun(context, agent, call);
  return { status: 200, body: runAnswer(thread, run) };
}

/** POST /threads/{thread_id}/runs/{run_id}/cancel */
export function stopRun(context: Context, agent: Agent, call: Call<{ action: "interrupt" | "rollback" }>): Answer {
  const { thread, run } = requireRun(context, agent, call);
  if (hasEnded(run)) throw new ApiError(409, `Run ${run.id} has ended as ${run.status} and cannot be cancelled`);
  cancelRun(context, thread, run, call.query.action);
  return { status: 202, body: {} };
}

/** The run that the path names, with its thread; else 404. */
export function requireRun(
  context: Context,
  agent: Agent,
  call: Pick<Call, "params">,
): { thread: ThreadRecord; run: RunRecord } {
  const id = call.params.run_id ?? "";
  const thread = findThread(context, agent, call.params.thread_id ?? "");
  const run = runById(context.store, id);
  if (thread && run?.thread === thread.seq) return { thread, run };
  throw new ApiError(404, `Run ${id} not found in thread ${call.params.thread_id}`);
}

/** Where a client finds a run again. */
export function locationOf(thread: ThreadRecord, run: RunRecord): string {
  return `/threads/${thread.id}/runs/${run.id}`;
}

export function runAnswer(thread: ThreadRecord, run: RunRecord): Record<string, unknown> {
  const { id, assistant_id, created_at, updated_at, status, metadata, request } = run;
  const { multitask_strategy, input = null, command = null, config } = request;
  const kwargs = { input, command, config: config ?? {} };
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
