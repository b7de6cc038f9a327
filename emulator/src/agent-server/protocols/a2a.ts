import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { parseUuid } from "../../runtime/validation/uuid";
import { isObject } from "../../runtime/validation/validator";
import type { Agent } from "../requests/auth";
import { cancelRun } from "../runs/execution/finish-run";
import { updateRun } from "../runs/records";
import { streamHeaders } from "../runs/streams/streams";
import { formatTime } from "../server/server-traits";
import { lastCheckpointOf } from "../threads/checkpoints";
import { updateThread } from "../threads/records";
import { listTasks } from "./a2a-list";
import { type Call, SCOPE_HEADER, send, streamTask, toTask } from "./a2a-send";
import { findTask, historyOf, messageOf, stateOf } from "./a2a-tasks";
import { cardOf, findUsable } from "./agent-card";
import { codes, failure, type Json, type Outcome, rpcResponse, whenFinished } from "./json-rpc";

/** The names of methods before version 1.0 of the protocol, which also had other words for roles and states. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  "message/send": "SendMessage",
  "message/stream": "SendStreamingMessage",
  "tasks/get": "GetTask",
  "tasks/cancel": "CancelTask",
};

/** The methods that only version 1.0 of the protocol has. */
const NEW_NAMES = ["ListTasks", "GetExtendedAgentCard"];

/** POST /a2a/{assistant_id}: the Agent2Agent protocol over JSON-RPC, as on the server in Python. */
export function handleA2a(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  if (!isObject(request.body))
    return rpcResponse(null, failure(codes.invalidRequest, "Invalid message format: expected object"));
  const { jsonrpc, id, method: name, params } = request.body;
  const refuse = (code: number, message: string) => rpcResponse(id, failure(code, message));
  if (jsonrpc !== "2.0")
    return refuse(codes.invalidRequest, "Invalid JSON-RPC message: missing or invalid jsonrpc version");
  const method = OLD_NAMES[String(name)] ?? String(name);
  if (![...Object.values(OLD_NAMES), ...NEW_NAMES].includes(method))
    return refuse(codes.methodNotFound, `Method not found: ${name}`);
  const given = isObject(params) ? params : {};
  if (method.startsWith("Send") && !isObject(given.message))
    return refuse(codes.invalidParams, "Missing or invalid 'message' in params");
  const type = method === "SendStreamingMessage" ? "text/event-stream" : "application/json";
  if (!/\*\/\*|^$/.test(request.header("accept") ?? "") && !request.header("accept")?.includes(type))
    return { status: 400, body: { error: `Accept header must include ${type}` } };
  const { assistant_id = "" } = request.params;
  const parsed = parseUuid(assistant_id);
  if (!("uuid" in parsed)) return refuse(codes.invalidParams, "Invalid assistant ID: must be a UUID");
  const assistant = findUsable(context, agent, parsed.uuid);
  if (!assistant) return refuse(codes.invalidParams, `Assistant '${assistant_id}' not found`);
  const call = { context, agent, request, assistant, params: given };
  return perform(call, { id, method, isOld: method !== name });
}

/** @param isOld With the words of the protocol before version 1.0. */
function perform(call: Call, { id, method, isOld }: { id: unknown; method: string; isOld: boolean }): ApiResponse {
  const form = (value: Json) => (isOld ? value : toNewWords(value));
  if (method === "GetExtendedAgentCard") return rpcResponse(id, { result: cardOf(call) });
  if (method === "ListTasks") return rpcResponse(id, toNewWords(listTasks(call)));
  const taskForm = (task: Json) => (isOld ? task : { task: toNewWords(task) });
  if (method === "GetTask" || method === "CancelTask") {
    const outcome = method === "GetTask" ? getTask(call) : cancelTask(call);
    return rpcResponse(id, "result" in outcome ? { result: form(outcome.result as Json) } : outcome);
  }
  const sent = send(call);
  const isStream = method === "SendStreamingMessage";
  const toEvent = (outcome: object) =>
    `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n\n`;
  const headers = streamHeaders(false);
  if (!("task" in sent))
    return isStream ? { status: 200, headers, stream: async (write) => write(toEvent(sent)) } : rpcResponse(id, sent);
  if (!isStream) return whenFinished(sent.result, (values) => ({ result: taskForm(toTask(call, sent, values)) }), id);
  const stream = streamTask(call, sent, (value) =>
    toEvent({ result: value.kind === "task" ? taskForm(value) : form(value) }),
  );
  return { status: 200, headers, stream };
}

/** Returns a value with the words of version 1.0 for roles and states. */
function toNewWords<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toNewWords) as T;
  if (!isObject(value)) return value;
  const word = (key: string, item: unknown) => {
    if (key === "role" && ["agent", "user"].includes(String(item))) return `ROLE_${String(item).toUpperCase()}`;
    if (key === "state") return `TASK_STATE_${String(item).toUpperCase().replaceAll("-", "_")}`;
    return toNewWords(item);
  };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, word(key, item)])) as T;
}

function requireTask({ context, agent, assistant, params }: Call) {
  const { id, contextId } = params;
  if (typeof id !== "string") return failure(codes.invalidParams, "Missing required parameter: task_id");
  return (
    findTask(context, agent, assistant.id, { id, contextId }) ??
    failure(codes.taskNotFound, `Task not found: ${id}${contextId === undefined ? "" : ` in context '${contextId}'`}`)
  );
}

function getTask(call: Call): Outcome {
  const task = requireTask(call);
  if (!("thread" in task)) return task;
  const { context, params, request } = call;
  const { id, thread, run } = task;
  const state = stateOf(context, task);
  const text = { completed: "Task completed successfully", failed: "Task failed with status: error" }[state];
  const message = text !== undefined && { message: messageOf(task, text, false) };
  const { messages } = lastCheckpointOf(context.store, thread, run.id)?.state ?? {};
  const history = historyOf(context, task, messages, { historyScope: request.header(SCOPE_HEADER), ...params });
  const status = { state, timestamp: formatTime(context, run.updated_at), ...message };
  return { result: { kind: "task", id, contextId: thread.id, status, ...history } };
}

function cancelTask(call: Call): Outcome {
  const task = requireTask(call);
  if (!("thread" in task)) return task;
  const { context } = call;
  const { id, thread, run } = task;
  const state = stateOf(context, task);
  if (["completed", "failed", "canceled"].includes(state))
    return failure(codes.notCancelable, "Task is not cancelable in its current state");
  cancelRun(context, thread, run, { action: "interrupt" });
  // A run that asks has ended, and its thread waits.
  if (state === "input-required") {
    updateRun(context.store, run, { status: "interrupted" });
    updateThread(context, thread, { status: "idle" });
  }
  const status = { state: "canceled", timestamp: formatTime(context, context.clock.isoNow()) };
  const message = messageOf(task, "Task was canceled", false);
  return { result: { kind: "task", id, contextId: thread.id, status: { ...status, message } } };
}
