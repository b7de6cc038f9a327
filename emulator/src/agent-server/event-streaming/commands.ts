import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { parseUuid } from "../../runtime/validation/uuid";
import { isObject } from "../../runtime/validation/validator";
import { findAssistant } from "../assistants/find";
import type { Agent } from "../requests/auth";
import { startRun } from "../runs/runs";
import type { RunBody } from "../runs/schemas";
import { latestCheckpoint } from "../threads/checkpoints";
import { findThread, requireThread } from "../threads/threads";
import { PROTOCOL_RUN } from "./events";
import { eventsOfThread } from "./stream";

type Json = Record<string, unknown>;

/** A command whose parameters are an object. */
interface Command {
  context: Context;
  agent: Agent;
  request: ApiRequest;
  params: Json;
}

/** What a command did. */
type Outcome = { result: Json } | { error: string; message: string };

const fail = (error: string, message: string): Outcome => ({ error, message });

/** What needs a run that the connection has started; each request is its own connection. */
const OF_A_CONNECTION = [
  "agent.getTree",
  "subscription.subscribe",
  "subscription.unsubscribe",
  "subscription.reconnect",
];

/**
 * POST /threads/{thread_id}/commands: starts a run, or answers its questions. A failure is a response, too.
 * @throws ApiError 400 without an ID and a method
 */
export function handleCommand(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { id, method, params }: Json = isObject(request.body) ? request.body : {};
  const isPython = context.settings.agentServer === "python";
  if (!Number.isInteger(id) || typeof method !== "string") {
    // In the words of the server, with the key of the request.
    const key = "id";
    const message = `Protocol commands must include an integer ${key} and string method.`;
    if (isPython) return { status: 400, body: { type: "error", id: id ?? null, ...fail("invalid_argument", message) } };
    request.addIssue(["id"], message);
    request.throwIfIssues();
  }
  const outcome = perform(String(method), { context, agent, request, params: isObject(params) ? params : {} });
  if ("error" in outcome) return { status: 200, body: { type: "error", id, ...outcome } };
  const meta = isPython ? { applied_through_seq: 0 } : metaOf(context, agent, request);
  return { status: 200, body: { type: "success", id, ...outcome, meta } };
}

/** Returns the number of the last event. In Python, each command has a separate connection, which has none. */
function metaOf(context: Context, agent: Agent, { params: { thread_id = "" } }: ApiRequest): Json {
  const thread = findThread(context, agent, thread_id);
  return { thread_id, applied_through_seq: thread ? eventsOfThread(context, thread)(thread).length : 0 };
}

function perform(method: string, command: Command): Outcome {
  const isPython = command.context.settings.agentServer === "python";
  if (method === "run.start") return start(command);
  if (method === "input.respond") return respond(command);
  if (method === "state.get" && !isPython) return readState(command);
  if (OF_A_CONNECTION.includes(method)) return fail("no_such_run", "No active run is bound to this thread.");
  return fail("unknown_command", `Unknown protocol command: ${method}`);
}

/** An input of a thread that asks is the response to its question. */
function start(command: Command): Outcome {
  const { assistant_id: name, input = null, config, metadata, multitaskStrategy } = command.params;
  if (typeof name !== "string" || name === "") return fail("invalid_argument", "run.start requires an assistant_id.");
  const strategies = ["reject", "interrupt", "rollback", "enqueue"] as const;
  const multitask_strategy = strategies.find((one) => one === multitaskStrategy) ?? "enqueue";
  const isResponse = input !== null && questionsOf(command).length > 0;
  const content = isResponse ? { command: { resume: input } } : { input };
  return startRunOf(command, { assistant_id: name, config, metadata, multitask_strategy, ...content });
}

/** Returns the IDs of the questions of a thread. */
function questionsOf({ context, agent, request }: Command): string[] {
  const thread = findThread(context, agent, request.params.thread_id ?? "");
  const { tasks = [] } = (thread && latestCheckpoint(context.store, thread)) ?? {};
  return tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id));
}

/** Answers one question, or several at once. */
function respond(command: Command): Outcome {
  const { context, agent, request, params } = command;
  const { responses = [params], update, goto, config, metadata } = params;
  const entries = Array.isArray(responses) ? responses.filter(isObject) : [];
  const missing = entries.length === 0 || entries.some(({ interrupt_id: id }) => typeof id !== "string");
  if (missing) return fail("invalid_argument", "input.respond requires an interrupt_id.");
  const thread = findThread(context, agent, request.params.thread_id ?? "");
  const { assistant_id } = thread?.metadata ?? {};
  if (typeof assistant_id !== "string") return fail("no_such_run", "No interrupted run is bound to this thread.");
  const asked = questionsOf(command);
  const unknown = entries.find(({ interrupt_id: id }) => !asked.includes(String(id)));
  if (unknown && context.settings.agentServer === "python")
    return fail("no_such_interrupt", `Unknown or already-consumed interrupt: ${unknown.interrupt_id}`);
  if (asked.length === 0)
    return fail("invalid_argument", "input.respond can only be used while the run is interrupted.");
  const resume = Object.fromEntries(entries.map(({ interrupt_id: id, response }) => [id, response]));
  const outcome = startRunOf(command, {
    ...{ assistant_id, config, metadata, multitask_strategy: "enqueue" },
    command: { resume, ...(update != null && { update }), ...(goto != null && { goto }) },
  });
  return "error" in outcome ? outcome : { result: {} };
}

/** A run as a command names it. */
type Started = Pick<RunBody, "assistant_id" | "input" | "command" | "multitask_strategy"> & {
  config: unknown;
  metadata: unknown;
};

function startRunOf({ context, agent, request }: Command, { config, metadata, ...run }: Started): Outcome {
  const given = isObject(config) ? config : {};
  const configurable = isObject(given.configurable) ? given.configurable : {};
  const { checkpoint_id = null } = configurable;
  if (checkpoint_id !== null && !("uuid" in parseUuid(String(checkpoint_id))))
    return fail("invalid_argument", `Invalid config.configurable.checkpoint_id: '${checkpoint_id}'.`);
  const { thread_id } = request.params;
  const body = {
    ...{ ...run, checkpoint_id, metadata: isObject(metadata) ? metadata : {} },
    config: { ...given, configurable: { ...configurable, [PROTOCOL_RUN]: true, thread_id } },
    ...{ stream_mode: ["values", "updates", "messages", "custom", "tasks", "checkpoints"] },
    ...{ stream_subgraphs: true, stream_resumable: true, if_not_exists: "create", on_completion: "keep" },
  };
  try {
    // Before a thread is created, find out whether a run can start.
    findAssistant(context, agent, run.assistant_id);
    return { result: { run_id: startRun(context, agent, { ...request, body }).run.id } };
  } catch (error) {
    if (!(error instanceof ApiError) || context.settings.agentServer !== "python") throw error;
    return fail("unknown_error", error.message);
  }
}

/** Returns the values of a thread, or those that the command names. */
function readState({ context, agent, request, params }: Command): Outcome {
  const checkpoint = latestCheckpoint(context.store, requireThread(context, agent, request));
  const { keys } = params;
  const isNamed = (name: string) => !Array.isArray(keys) || keys.includes(name);
  const values = Object.fromEntries(Object.entries(checkpoint?.state ?? {}).filter(([name]) => isNamed(name)));
  return { result: { values, ...(checkpoint && { checkpoint: { id: checkpoint.id, ns: "" } }) } };
}
