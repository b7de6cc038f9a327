/** Tasks of the Agent2Agent protocol: each is a run, or several where one continues another. */
import { randomUUID } from "node:crypto";
import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import type { Agent } from "../requests/auth";
import { type RunRecord, runsOf } from "../runs/records";
import type { ThreadRecord } from "../threads/records";
import { findThread } from "../threads/threads";
import { type Json, pythonText } from "./json-rpc";

/** A task, with the run that it has reached. */
export interface Task {
  id: string;
  thread: ThreadRecord;
  run: RunRecord;
}

/** Returns the ID of the task of a run, which metadata name if the run continues a task. */
export function taskIdOf(thread: ThreadRecord, { id, metadata: { a2a } }: RunRecord): string {
  return isObject(a2a) && typeof a2a.task_id === "string" ? a2a.task_id : `${thread.id}:${id}`;
}

/** Returns a task of an assistant. @param id That of its thread and of its first run; or of the run alone. */
export function findTask(
  context: Context,
  agent: Agent,
  assistantId: string,
  { id, contextId }: { id: string; contextId: unknown },
): Task | undefined {
  const [threadId = "", runId = ""] = id.includes(":") ? id.split(":") : [String(contextId), id];
  const thread = findThread(context, agent, threadId);
  if (!thread || (contextId !== undefined && contextId !== threadId)) return undefined;
  const runs = runsOf(context.store, thread.seq).filter((run) => run.assistant_id === assistantId);
  const isOfTask = (run: RunRecord) => run.id === runId || taskIdOf(thread, run) === id;
  const run = runs.some((one) => one.id === runId) ? runs.find(isOfTask) : undefined;
  return run && { id, thread, run };
}

/** Returns the state of a task. One that is the last of its thread may wait for an input. */
export function stateOf({ store }: Context, { thread, run }: Task): string {
  const isWaiting = thread.status === "interrupted" && runsOf(store, thread.seq)[0]?.id === run.id;
  if (run.status === "success") return isWaiting ? "input-required" : "completed";
  return { pending: "submitted", running: "working", interrupted: "canceled", error: "failed" }[run.status];
}

/** Returns a message of the agent about a task. */
export function messageOf({ id, thread }: Pick<Task, "id" | "thread">, text: string, hasContext = true): Json {
  const contextId = hasContext && { contextId: thread.id };
  const content = { parts: [{ kind: "text", text }], messageId: randomUUID() };
  return { kind: "message", role: "agent", ...content, taskId: id, ...contextId };
}

/** Which messages a client asks for: the last ones, and of the task alone. */
export interface HistoryOptions {
  historyLength?: unknown;
  historyScope?: unknown;
}

/** Returns what persons and agents said in the thread of a task, each with its task; nothing for a length of 0. */
export function historyOf(context: Context, task: Task, messages: unknown, options: HistoryOptions) {
  const { historyLength: length, historyScope: scope } = options;
  if (length === 0) return {};
  const all = conversationOf(context, task, messages).filter(({ taskId }) => scope !== "task" || taskId === task.id);
  return { history: typeof length === "number" ? all.slice(-length) : all };
}

function conversationOf({ store }: Context, { id, thread }: Task, messages: unknown): Json[] {
  const starts = new Map<unknown, string>();
  for (const run of runsOf(store, thread.seq)) {
    const { input } = run.request;
    for (const message of messagesIn(isObject(input) ? input.messages : []))
      starts.set(message.id, taskIdOf(thread, run));
  }
  let taskId = id;
  return messagesIn(messages).flatMap((message) => {
    taskId = starts.get(message.id) ?? taskId;
    const role = { human: "user", ai: "agent" }[String(message.type)];
    const text = textOf(message);
    if (role === undefined || (role === "agent" && text === "")) return [];
    const parts = [{ kind: "text", text }];
    return [{ kind: "message", role, parts, messageId: message.id, taskId, contextId: thread.id }];
  });
}

const messagesIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

const textOf = ({ content }: Json): string => (typeof content === "string" ? content : JSON.stringify(content));

/** Returns the last words of the agent in the final values of a run, or the values as a text. */
export function replyIn(values: Json): string {
  const messages = messagesIn(values.messages);
  if (messages.length === 0) return pythonText(values);
  const last = messages.findLastIndex(({ type }) => type === "human");
  const reply = messages.slice(last + 1).findLast((message) => message.type === "ai" && textOf(message) !== "");
  return reply ? textOf(reply) : "";
}

/** Returns an artifact with the reply of an assistant. */
export const replyArtifact = (values: Json, assistantId: string) => ({
  artifactId: randomUUID(),
  name: "Assistant Response",
  description: `Response from assistant ${assistantId}`,
  parts: [{ kind: "text", text: replyIn(values) }],
});

/** Returns an artifact with the questions of a run. */
export const questionArtifact = (questions: unknown) => ({
  artifactId: randomUUID(),
  name: "Interrupt",
  description: "Agent requires input to continue",
  parts: messagesIn(questions).map(({ id, value }) => ({ kind: "data", data: { id, value } })),
});
