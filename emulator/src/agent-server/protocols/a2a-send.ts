/** Messages to an agent in the Agent2Agent protocol: each starts a run, or continues one that asks. */
import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse, Stream } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import type { AssistantRecord } from "../assistants/records";
import { findGraph } from "../graphs/of-deployment";
import type { Agent } from "../requests/auth";
import { startRun } from "../runs/runs";
import { joinRun } from "../runs/streams/streams";
import { formatTime } from "../server/server-traits";
import {
  findTask,
  historyOf,
  messageOf,
  questionArtifact,
  replyArtifact,
  replyIn,
  stateOf,
  type Task,
  taskIdOf,
} from "./a2a-tasks";
import { codes, failure, type Json, type Outcome, pythonText } from "./json-rpc";

/** A request of the protocol to one assistant. */
export interface Call {
  context: Context;
  agent: Agent;
  request: ApiRequest;
  assistant: AssistantRecord;
  params: Json;
}

/** A run that a message has started. */
interface Sent {
  task: Task;
  message: Json;
  result: ApiResponse;
}

/** Says which messages a response has, where the request does not. */
export const SCOPE_HEADER = "LangGraph-A2A-History-Scope";

const invalid = (message: string) => failure(codes.invalidParams, message);

/** Starts the run of a message. */
export function send(call: Call): Sent | Outcome {
  const { context, agent, request, assistant, params } = call;
  const message = isObject(params.message) ? params.message : {};
  const { messageId, role, parts, contextId, taskId } = message;
  if (!messageId) return invalid("Missing required 'messageId' in message");
  if (!role) return invalid("Missing required 'role' in message");
  if (!Array.isArray(parts) || parts.length === 0) return invalid("Message must contain at least one part");
  const missing = missingMessages(call, parts);
  if (missing) return missing;
  const task = taskId ? findTask(context, agent, assistant.id, { id: String(taskId), contextId }) : undefined;
  if (taskId && !task) return failure(codes.taskNotFound, `Task not found: ${taskId}`);
  if (task && ["completed", "failed", "canceled"].includes(stateOf(context, task)))
    return failure(codes.unsupported, "A terminal task cannot accept another message");
  const input = inputOf(parts, String(role), messageId);
  if (!input) return failure(codes.contentType, "Message must contain at least one valid text, data, or file part");
  const resume = task ? (input.resume ?? textIn(parts)) : undefined;
  const isWaiting = task && task.thread.status === "interrupted";
  const { deployment_id = "" } = request.params;
  const thread_id = task ? task.thread.id : String(contextId ?? randomUUID());
  const body = {
    ...(isWaiting && resume !== undefined ? { command: { resume } } : { input }),
    ...{ assistant_id: assistant.id, if_not_exists: "create", on_completion: "keep" },
    metadata: { a2a: task ? { task_id: task.id } : {} },
    ...(isObject(params.context) && { context: params.context }),
  };
  try {
    const { thread, run } = startRun(context, agent, { ...request, params: { deployment_id, thread_id }, body });
    const ids = { deployment_id, thread_id: thread.id, run_id: run.id };
    const result = joinRun(context, agent, { ...request, params: ids, query: { cancel_on_disconnect: false } });
    return { task: { id: taskIdOf(thread, run), thread, run }, message, result };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return invalid(`Failed to create run: ${error.message}`);
  }
}

/** Returns the error of a graph without messages to a text. */
function missingMessages({ context, agent, assistant }: Call, parts: readonly unknown[]): Outcome | undefined {
  const { schemas } = findGraph(context, agent, assistant.graph_id) ?? {};
  const { properties } = schemas?.state ?? {};
  const fields = isObject(properties) ? Object.keys(properties) : ["messages"];
  const isText = (part: unknown) => isObject(part) && ("text" in part || "file" in part);
  if (fields.includes("messages") || !parts.some(isText)) return undefined;
  return invalid(
    `Assistant '${assistant.id}' (graph '${assistant.graph_id}') does not support A2A conversational messages. ` +
      "Graph input schema must include a 'messages' field to accept text or file parts. " +
      `Available input fields: ${pythonText(fields)}`,
  );
}

const textIn = (parts: readonly unknown[]): string | undefined =>
  parts.flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : [])).join("\n") || undefined;

/** Returns the input of a run: texts are messages, and data are values. */
function inputOf(parts: readonly unknown[], role: string, id: unknown): Json | undefined {
  const objects = parts.filter(isObject);
  const type = ["user", "ROLE_USER"].includes(role) ? "human" : "ai";
  const messages = objects.flatMap(({ text }) => (typeof text === "string" ? [{ type, content: text, id }] : []));
  const data = Object.assign({}, ...objects.map((part) => (isObject(part.data) ? part.data : {})));
  const input: Json = { ...(messages.length > 0 && { messages }), ...data };
  return Object.keys(input).length > 0 ? input : undefined;
}

/** Returns the task after its run, whose result is final values, an error or questions. */
export function toTask({ context, assistant, request, params }: Call, { task }: Sent, values: Json): Json {
  const { __error__: error, __interrupt__: questions } = values;
  const options = { historyScope: request.header(SCOPE_HEADER), ...(params.configuration ?? {}) };
  const history = historyOf(context, task, values.messages, options);
  const head = { kind: "task", id: task.id, contextId: task.thread.id, ...history };
  if (isObject(error))
    return {
      ...head,
      status: { state: "failed", message: messageOf(task, `Error executing assistant: ${error.error}`) },
    };
  const timestamp = formatTime(context, context.clock.isoNow());
  return questions === undefined
    ? { ...head, status: { state: "completed", timestamp }, artifacts: [replyArtifact(values, assistant.id)] }
    : { ...head, status: { state: "input-required", timestamp }, artifacts: [questionArtifact(questions)] };
}

/** Streams a task: its start, what the agent says, and how its run ends. */
export function streamTask(call: Call, { task, message, result }: Sent, toText: (value: Json) => string): Stream {
  const ids = { taskId: task.id, contextId: task.thread.id };
  const { context } = call;
  const status = (state: string, more: object = {}) => {
    return { state, ...more, timestamp: formatTime(context, context.clock.isoNow()) };
  };
  return async (sendText, disconnected) => {
    const history = [{ kind: "message", ...message, ...ids }];
    const first = { kind: "task", id: task.id, contextId: task.thread.id, history, status: status("submitted") };
    sendText(toText(first));
    let text = "";
    await result.stream?.((part) => {
      text += part;
    }, disconnected);
    if (disconnected.aborted) return;
    for (const update of updatesOf(call, task, JSON.parse(text))) sendText(toText({ ...ids, ...update }));
  };

  function updatesOf({ assistant }: Call, of: Task, values: Json): Json[] {
    const { __error__: error, __interrupt__: questions } = values;
    const end = (state: string, more?: object) => ({ kind: "status-update", status: status(state, more), final: true });
    if (isObject(error)) return [end("failed", { message: messageOf(of, String(error.message)) })];
    if (questions !== undefined)
      return [{ kind: "artifact-update", artifact: questionArtifact(questions) }, end("input-required")];
    const spoken = "messages" in values ? [messageOf(of, replyIn(values))] : [];
    const working = spoken.map((said) => {
      return { kind: "status-update", status: status("working", { message: said }), final: false };
    });
    const artifact = replyArtifact(values, assistant.id);
    return [...working, { kind: "artifact-update", artifact, append: false, lastChunk: true }, end("completed")];
  }
}
