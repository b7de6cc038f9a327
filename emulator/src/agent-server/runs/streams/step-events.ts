/** The events of single steps of a run: the modes `tasks`, `checkpoints`, `debug`, `messages` and `messages-tuple`. */
import type { Context } from "../../../runtime/context";
import { isObject } from "../../../runtime/validation/validator";
import { checkpointRef } from "../../responses";
import { formatTime } from "../../server/server-traits";
import { type CheckpointRecord, checkpointById, nextTaskOf, type Task } from "../../threads/checkpoints";
import type { ThreadRecord } from "../../threads/records";
import type { RunRecord } from "../records";
import { errorType } from "../thread-error";

/** One event of a stream. Its name is a mode, and for a subgraph `MODE|NAMESPACE`. */
export interface RunEvent {
  name: string;
  data: unknown;
}

/** The run whose events are sent. */
export interface EventSource {
  context: Context;
  thread: ThreadRecord;
  run: RunRecord;
}

export const isPython = ({ context: { settings } }: EventSource) => settings.agentServer === "python";

/** Returns an event, and the same for `debug`. */
function withDebug(source: EventSource, { namespace }: CheckpointRecord, { mode, debug }: StepEvent): RunEvent[] {
  const suffix = namespace && `|${namespace}`;
  const { step, time, type, payload } = debug;
  const timestamp = formatTime(source.context, time);
  return [
    { name: mode.name + suffix, data: mode.data },
    { name: `debug${suffix}`, data: { step, timestamp, type, payload } },
  ];
}

interface StepEvent {
  mode: RunEvent;
  debug: { step: number; time: string; type: "checkpoint" | "task" | "task_result"; payload: unknown };
}

/** @param isPast The run starts at it: its tasks show what an earlier run left. */
export function checkpointEvents(source: EventSource, checkpoint: CheckpointRecord, isPast = false): RunEvent[] {
  const { metadata, state: values, next, created_at: time, parent_id } = checkpoint;
  const { source: origin, step, parents } = metadata;
  const shown = { values, metadata: { source: origin, step, parents }, next };
  const tasks = checkpoint.tasks.map((task) => (isPast ? task : { ...task, error: null, interrupts: [] }));
  const parent_checkpoint = parent_id === null ? null : checkpointRef(source.thread, parent_id, checkpoint.namespace);
  const parent = isPast ? { configurable: parent_checkpoint } : configOf(source, checkpoint, parent_id);
  const hasParent = parent_id !== null;
  const configs = {
    config: configOf(source, checkpoint, checkpoint.id),
    ...((hasParent || isPython(source)) && { parent_config: hasParent ? parent : null }),
  };
  const data = isPython(source) ? { ...configs, ...shown, tasks: tasks.map(taskOf) } : shown;
  const payload = {
    ...configs,
    ...shown,
    tasks: tasks.map((task) => debugTaskOf(source, task)),
    checkpoint: checkpointRef(source.thread, checkpoint.id, checkpoint.namespace),
    parent_checkpoint,
  };
  const debug = { step, time, type: "checkpoint", payload } as const;
  return withDebug(source, checkpoint, { mode: { name: "checkpoints", data }, debug });
}

/** Returns where the values that follow are, for clients that write no checkpoints themselves. */
export function referenceEvent({ id, parent_id, namespace, metadata: { step, source } }: CheckpointRecord): RunEvent {
  const data = { id, ...(parent_id !== null && { parent_id }), step, source };
  return { name: namespace === "" ? "reference" : `reference|${namespace}`, data };
}

function configOf(
  { thread, run }: EventSource,
  { namespace, metadata }: CheckpointRecord,
  checkpoint_id: string | null,
) {
  const { config } = run.request;
  const { parents } = metadata;
  const checkpoint_map = { ...parents, [namespace]: checkpoint_id };
  const configurable = {
    ...(isObject(config?.configurable) && config.configurable),
    ...{ thread_id: thread.id, run_id: run.id, graph_id: run.graph_id, assistant_id: run.assistant_id },
    ...{ checkpoint_ns: namespace, checkpoint_id, ...(namespace !== "" && { checkpoint_map }) },
  };
  return { configurable };
}

function taskOf({ id, name, error, interrupts, checkpoint }: Task) {
  const outcome = error === null ? { interrupts } : { error };
  return { id, name, ...outcome, state: checkpoint && { configurable: checkpoint } };
}

function debugTaskOf(source: EventSource, task: Task) {
  const { checkpoint, name } = task;
  const { state, ...shown } = taskOf(task);
  const place = checkpoint && { checkpoint };
  return isPython(source)
    ? { ...shown, ...(place ?? { state }) }
    : { ...shown, path: ["__pregel_pull", name], ...place };
}

/** Returns the start of the task at a checkpoint. */
export function startEvents(source: EventSource, head: CheckpointRecord): RunEvent[] {
  const task = nextTaskOf(head);
  if (!task) return [];
  const { id, name } = task;
  const triggers = [`branch:to:${name}`];
  const interrupts = !isPython(source) && { interrupts: [] };
  const tags = source.run.request.config?.tags;
  const metadata = { ...metadataOf(source), ...(tags !== undefined && { tags }) };
  const data = { id, name, input: head.state, triggers, ...interrupts, metadata };
  const debug = { step: head.metadata.step + 1, time: head.created_at, type: "task", payload: data } as const;
  return withDebug(source, head, { mode: { name: "tasks", data }, debug });
}

/** The server in JavaScript leaves out the metadata of a run's configuration. */
export function metadataOf(source: EventSource): Record<string, unknown> {
  const { id, metadata, request } = source.run;
  const configured = isPython(source) && isObject(request.config?.metadata) && request.config.metadata;
  return { ...metadata, ...configured, run_attempt: 1, run_id: id };
}

/** Returns the outcome of the task at a checkpoint. @param time When it ended. */
export function resultEvents(source: EventSource, head: CheckpointRecord, time: string): RunEvent[] {
  const task = nextTaskOf(head);
  if (!task) return [];
  const { id, name, error: message, result, interrupts: asked } = task;
  const error =
    message === null
      ? null
      : isPython(source)
        ? { error: errorType(message), message }
        : { name: errorType(message), message };
  // Its result does not contain what it asked earlier.
  const data = { id, name, error, result: result ?? {}, interrupts: result === null && error === null ? asked : [] };
  const debug = { step: head.metadata.step + 1, time, type: "task_result", payload: data } as const;
  return withDebug(source, head, { mode: { name: "tasks", data }, debug });
}

/** Returns where the task at a checkpoint is in its graph, as metadata of its events and messages. */
export function placeOf({ metadata }: CheckpointRecord, { id, name }: { id: string; name: string }) {
  return {
    langgraph_step: metadata.step + 1,
    langgraph_node: name,
    langgraph_triggers: [`branch:to:${name}`],
    langgraph_path: ["__pregel_pull", name],
    langgraph_checkpoint_ns: `${name}:${id}`,
  };
}

/** Returns the messages that a checkpoint adds to its parent, each as a whole: no graph here writes parts of one. */
export function messageEvents(source: EventSource, checkpoint: CheckpointRecord): RunEvent[] {
  const { context, thread } = source;
  const { parent_id, namespace } = checkpoint;
  const parent = parent_id === null ? undefined : checkpointById(context.store, thread, parent_id);
  const task = parent && nextTaskOf(parent);
  const earlier = new Set(messagesOf(parent).map(({ id }) => id));
  const added = namespace === "" ? messagesOf(checkpoint).filter(({ id }) => !earlier.has(id)) : [];
  const place = parent && task && placeOf(parent, task);
  const details = {
    ...metadataOf(source),
    thread_id: thread.id,
    ...place,
    ...(place && !isPython(source) && { checkpoint_ns: place.langgraph_checkpoint_ns }),
  };
  return added.flatMap((message) => [
    ...(task ? [{ name: "messages", data: [message, details] }] : []),
    ...(task && isPython(source)
      ? [{ name: "messages/metadata", data: { [String(message.id)]: { metadata: details } } }]
      : []),
    // The server in Python shows no messages of inputs.
    ...(task || !isPython(source) ? [{ name: "messages/complete", data: [message] }] : []),
  ]);
}

function messagesOf(checkpoint: CheckpointRecord | undefined): Record<string, unknown>[] {
  const messages = checkpoint?.state.messages;
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}
