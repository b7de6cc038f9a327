/** The events of the streaming protocol (API `4B.POST /threads/{thread_id}/stream/events`), made from those of runs. */
import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import { hasEnded, type RunRecord } from "../runs/records";
import type { RunEvent } from "../runs/streams/step-events";
import { eventReader, modesOf } from "../runs/streams/stream-events";
import type { ThreadRecord } from "../threads/records";
import { messageParts, type ProtocolEvent, plainState } from "./messages";

/** In the configuration of a run that a command of the protocol has started. */
export const PROTOCOL_RUN = "__event_streaming_v2";

/** The stream modes whose events are shown of any run that has them. */
const OF_ANY_RUN = ["values", "updates", "tasks"];

/**
 * Returns whether an event is shown, by its name. Of the runs of the protocol, the server in Python shows no single
 * steps.
 */
function isShown(name: string, run: RunRecord, isPython: boolean): boolean {
  const [mode = ""] = name.split("|");
  if (["metadata", "error"].includes(mode)) return true;
  const { configurable } = run.request.config ?? {};
  if (!isObject(configurable) || configurable[PROTOCOL_RUN] !== true)
    return OF_ANY_RUN.includes(mode) && modesOf(run).includes(mode);
  return ["values", "messages"].includes(mode) || (!isPython && ["updates", "tasks", "reference"].includes(mode));
}

/** What has been sent about a run. */
interface Progress {
  /** The IDs of questions. */
  asked: Set<string>;
  /** The subgraphs that have started and not ended, by namespace. */
  open: Map<string, string[]>;
  hasFailed: boolean;
  isPython: boolean;
}

/** Returns a function that returns the events of a run since the previous call, with how it ends. */
export function protocolReader(context: Context, thread: ThreadRecord): (run: RunRecord) => ProtocolEvent[] {
  const isPython = context.settings.agentServer === "python";
  const read = eventReader(context, thread, (name, run) => isShown(name, run, isPython));
  const progress: Progress = { asked: new Set(), open: new Map(), hasFailed: false, isPython };
  let isDone = false;
  return (run) => {
    if (isDone) return [];
    const events = read(run).flatMap((event) => toProtocol(event, run, progress));
    isDone = hasEnded(run);
    return isDone ? [...events, ...endOf(run, progress)] : events;
  };
}

function endOf(run: RunRecord, { asked, open, hasFailed, isPython }: Progress): ProtocolEvent[] {
  const hasAsked = asked.size > 0;
  if (hasFailed || (hasAsked && isPython)) return [];
  const inner = [...open.values()].reverse().map((namespace) => lifecycle(namespace, "completed", run));
  return [...inner, lifecycle([], hasAsked || run.status === "interrupted" ? "interrupted" : "completed", run)];
}

function lifecycle(namespace: string[], event: string, { graph_id }: RunRecord, error?: unknown): ProtocolEvent {
  const graph_name = namespace.at(-1)?.split(":")[0] ?? graph_id;
  return { method: "lifecycle", namespace, data: { event, graph_name, ...(error !== undefined && { error }) } };
}

function toProtocol({ name, data }: RunEvent, run: RunRecord, progress: Progress): ProtocolEvent[] {
  const [mode = "", ...namespace] = name.split("|");
  const content = isObject(data) ? data : {};
  if (mode === "metadata") return [lifecycle([], "running", run)];
  if (mode === "error") {
    progress.hasFailed = true;
    return [lifecycle([], "failed", run, progress.isPython ? undefined : JSON.stringify(data))];
  }
  if (mode === "messages") {
    const parts = messageParts(data, run, progress.isPython);
    // In Python, what a subgraph has written is only shown as values.
    if (progress.isPython && progress.open.has(parts[0]?.node ?? "")) return [];
    return [...startOf(parts[0]?.namespace ?? [], run, progress), ...parts];
  }
  const started = startOf(namespace, run, progress);
  if (mode === "values") return [...started, ...valuesOf(namespace, content, run, progress)];
  if (mode === "updates") return [...started, ...updatesOf(namespace, content, run, progress)];
  const event = { method: mode, namespace, data };
  return [...started, event, ...(mode === "tasks" ? closeTask(namespace, content, run, progress) : [])];
}

/** Returns the end of what a task has started. */
function closeTask(
  namespace: string[],
  { id, name, result }: Record<string, unknown>,
  run: RunRecord,
  { open }: Progress,
): ProtocolEvent[] {
  const inner = [...namespace, `${name}:${id}`];
  return result !== undefined && open.delete(inner.join("|")) ? [lifecycle(inner, "completed", run)] : [];
}

/** Returns the start of a subgraph, once. The server in Python shows only its end. */
function startOf(namespace: string[], run: RunRecord, { open, isPython }: Progress): ProtocolEvent[] {
  if (namespace.length === 0 || open.has(namespace.join("|"))) return [];
  open.set(namespace.join("|"), namespace);
  return isPython ? [] : [lifecycle(namespace, "started", run)];
}

function valuesOf(
  namespace: string[],
  content: Record<string, unknown>,
  run: RunRecord,
  progress: Progress,
): ProtocolEvent[] {
  const { __interrupt__, ...values } = content;
  const state = Object.keys(values).length === 0 ? [] : [{ method: "values", namespace, data: plainState(values) }];
  return [...questionsOf(namespace, __interrupt__, run, progress), ...state];
}

function updatesOf(
  namespace: string[],
  content: Record<string, unknown>,
  run: RunRecord,
  progress: Progress,
): ProtocolEvent[] {
  if ("__interrupt__" in content) return questionsOf(namespace, content.__interrupt__, run, progress);
  return Object.entries(content).map(([node, update]) => {
    return { method: "updates", namespace, data: plainState(isObject(update) ? update : { value: update }), node };
  });
}

/** Returns the questions that have not been sent. In Python, the run is interrupted with them. */
function questionsOf(namespace: string[], asked: unknown, run: RunRecord, progress: Progress): ProtocolEvent[] {
  const questions = (Array.isArray(asked) ? asked : []).filter(({ id }) => !progress.asked.has(id));
  const requests = questions.map(({ id, value }) => {
    progress.asked.add(id);
    return { method: "input.requested", namespace, data: { interrupt_id: id, payload: value } };
  });
  const isStop = requests.length > 0 && progress.isPython;
  return [...requests, ...(isStop ? [lifecycle([], "interrupted", run)] : [])];
}
