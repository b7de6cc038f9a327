import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { parseUuid } from "../../runtime/validation/uuid";
import { asObject, assertOneMirror, configurationOfRun } from "../assistants/configuration";
import { findAssistant } from "../assistants/find";
import type { AssistantRecord } from "../assistants/records";
import { graphsOf } from "../graphs/of-deployment";
import { type Agent, ownerMetadata } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { insertThread, type ThreadRecord, threadById, threadBySeq, updateThread } from "../threads/records";
import { findThread, requireThread } from "../threads/threads";
import { cancelRun, rollBack } from "./execution/finish-run";
import { scheduleStart } from "./execution/schedule";
import { insertRun, type RunRecord, runById, runsInFlight, runsOf } from "./records";
import { checkRunBody } from "./request-checks";
import { locationOfStarted, runResponse } from "./responses";
import type { RunBody } from "./schemas";

/**
 * How long the thread of a stateless run is kept, in minutes: longer than `instantHorizon`, so that `instant` does not
 * delete it at once.
 */
const statelessTtl = { strategy: "delete", ttl: 2 } as const;

/** POST /threads/{thread_id}/runs and POST /runs: responds immediately; scheduled jobs execute the run. */
export function createRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = startRun(context, agent, request);
  return {
    status: 200,
    body: runResponse(context, thread, run),
    headers: { "content-location": locationOfStarted(request, thread, run) },
  };
}

/** POST /runs/batch: several stateless runs. */
export function createRuns(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const bodies = request.body as RunBody[];
  if (bodies.length === 0 && isPython(context)) throw new ApiError(422, "body: List should have at least 1 item");
  const runs = bodies.map((body, index) => {
    const addIssue: ApiRequest["addIssue"] = (loc, message) => request.addIssue([index, ...loc], message);
    return createRun(context, agent, { ...request, body, addIssue }).body;
  });
  return { status: 200, body: runs };
}

/** Starts a run on the thread of the path, or on a new one. */
export function startRun(
  context: Context,
  agent: Agent,
  request: ApiRequest,
): { thread: ThreadRecord; run: RunRecord } {
  const { multitaskStrategy: multitask_strategy, mirrorsContext } = traitsOf(context);
  const body = withoutIgnored(context, { multitask_strategy, ...(request.body as RunBody) });
  checkRunBody(context, request, body);
  if (mirrorsContext) assertOneMirror({ config: body.config ?? {}, context: body.context });
  if (isPython(context)) assertNameOfAssistant(context, agent, body.assistant_id);
  if (isPython(context) && body.command?.resume && request.params.thread_id === undefined)
    throw new ApiError(400, "You must provide a thread_id when resuming.");
  const thread = threadForRun(context, agent, request, body);
  return { thread, run: enqueueRun(context, agent, thread, body) };
}

/** An input has no effect beside a command. The server in Python takes an empty command for none. */
function withoutIgnored(context: Context, body: RunBody): RunBody {
  const { command } = body;
  const isNone = command == null || (isPython(context) && Object.keys(command).length === 0);
  return isNone ? { ...body, command: null } : { ...body, input: null };
}

/**
 * Adds a run to a thread according to its multitask strategy. @throws ApiError 409 for `reject` if the thread is busy.
 */
export function enqueueRun(context: Context, agent: Agent, thread: ThreadRecord, request: RunBody): RunRecord {
  const { store, clock } = context;
  const assistant = findAssistant(context, agent, request.assistant_id);
  const { id: assistant_id, graph_id } = assistant;
  applyMultitaskStrategy(context, thread, request.multitask_strategy);
  const { metadata, config } = thread;
  const threadMetadata = { ...metadata, graph_id, assistant_id };
  const now = clock.isoNow();
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
    metadata: { ...assistant.metadata, ...threadMetadata, ...request.metadata, ...ownerMetadata(context, agent) },
    request: { ...request, ...configurationOfRun(assistant, request, traitsOf(context).mirrorsContext) },
  });
  updateThread(context, thread, {
    status: "busy",
    error: null,
    config: configOfThread(context, config, { assistant, request }),
    metadata: threadMetadata,
  });
  const [next, following] = runsInFlight(store, thread.seq);
  if (next?.id !== run.id) return run;
  // One that starts later was the next until now.
  if (following) context.scheduler.cancel(following.id);
  scheduleStart(context, thread, run);
  return run;
}

/** Returns the configuration of a thread with that of a run: in Python, what is configurable is that of assistants. */
function configOfThread(
  context: Context,
  before: Record<string, unknown>,
  { assistant, request }: { assistant: AssistantRecord; request: RunBody },
): Record<string, unknown> {
  const shared = isPython(context) ? assistant.config : {};
  const source = isPython(context) ? shared : asObject(request.config);
  const configurable = { ...asObject(before.configurable), ...asObject(source.configurable) };
  return { ...before, ...shared, ...request.config, configurable };
}

/** @throws ApiError 422 for a name that is neither a UUID nor that of a graph */
function assertNameOfAssistant(context: Context, { deployment }: Agent, name: string): void {
  const graphs = Object.keys(graphsOf(context, deployment));
  if ("uuid" in parseUuid(name) || graphs.includes(name)) return;
  throw new ApiError(
    422,
    `Invalid assistant: '${name}'. It is neither a UUID nor one of the graphs ${graphs.join(", ")}`,
  );
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
  const exists = threadById(context.store, agent.deployment.id, id) !== undefined;
  // The server in JavaScript takes a thread that does not exist for one that is busy.
  if (!exists && if_not_exists === "reject" && !isPython(context)) throw busyError(context, id);
  if (exists || if_not_exists === "reject") return requireThread(context, agent, request);
  return insertThread(context, { ...base, id });
}

function applyMultitaskStrategy(context: Context, thread: ThreadRecord, strategy: RunBody["multitask_strategy"]): void {
  const others = runsInFlight(context.store, thread.seq);
  if (strategy === "reject" && others.length > 0) throw busyError(context, thread.id);
  if (strategy !== "interrupt" && strategy !== "rollback") return;
  // The last one first, so that no waiting run starts in between.
  for (const other of others.reverse()) cancelRun(context, thread, other, { action: strategy });
}

const busyError = (context: Context, id: string) =>
  new ApiError(
    traitsOf(context).statusOfBusy,
    `Thread ${id} is already running a task: wait for it, or choose a different multitask strategy`,
  );

/** GET /threads/{thread_id}/runs: newest first in Python, and oldest first in JavaScript. */
export function listRuns(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ limit: number; offset: number; status?: string; select?: string[] }>,
): ApiResponse {
  const thread = requireThread(context, agent, request);
  const { limit, offset, status, select = [] } = request.query;
  const runs = runsOf(context.store, thread.seq);
  const ordered = isPython(context) ? runs : runs.reverse();
  const matches = ordered.filter((run) => (status ?? run.status) === run.status);
  const isShown = (name: string) => !isPython(context) || select.length === 0 || select.includes(name);
  const page = matches.slice(offset, offset + limit).map((run) => {
    const fields = Object.entries(runResponse(context, thread, run));
    return Object.fromEntries(fields.filter(([name]) => isShown(name)));
  });
  return { status: 200, body: page };
}

/** GET /threads/{thread_id}/runs/{run_id} */
export function getRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  return { status: 200, body: runResponse(context, thread, run) };
}

/** DELETE /threads/{thread_id}/runs/{run_id}: with its states, also while it is in progress. */
export function deleteRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  cancelRun(context, thread, run, { action: "interrupt" });
  rollBack(context, thread, run);
  return { status: 204 };
}

/** Returns the run of the request path with its thread, which the path may not name. */
export function findRun(
  context: Context,
  agent: Agent,
  { params: { thread_id, run_id = "" } }: Pick<ApiRequest, "params">,
): { thread: ThreadRecord; run: RunRecord } | undefined {
  const run = runById(context.store, run_id);
  const id = thread_id ?? (run && threadBySeq(context.store, run.thread)?.id) ?? "";
  const thread = findThread(context, agent, id);
  return thread && run?.thread === thread.seq ? { thread, run } : undefined;
}

/** @throws ApiError 404 if there is no such run */
export function requireRun(context: Context, agent: Agent, request: Pick<ApiRequest, "params">) {
  const found = findRun(context, agent, request);
  if (found) return found;
  throw new ApiError(404, `Run ${request.params.run_id} not found in thread ${request.params.thread_id}`);
}

const isPython = ({ settings }: Context) => settings.agentServer === "python";
