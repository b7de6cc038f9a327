import type { Context } from "../../../runtime/context";
import { isObject } from "../../../runtime/validation/validator";
import {
  type CheckpointRecord,
  checkpointById,
  checkpointsOfRun,
  lastCheckpointOf,
  latestCheckpoint,
} from "../../threads/checkpoints";
import { type ThreadRecord, threadBySeq } from "../../threads/records";
import { start, stopsAfter } from "../execution/writes";
import { hasEnded, type RunRecord } from "../records";
import { errorType } from "../thread-error";
import {
  checkpointEvents,
  type EventSource,
  messageEvents,
  type RunEvent,
  referenceEvent,
  resultEvents,
  startEvents,
} from "./step-events";
import { nodeEvents, runEndEvent, runStartEvent } from "./trace-events";

/**
 * Returns a function that returns what a run has done since the previous call, as the events of its modes or of others.
 * They follow from what the run has written, so they are the same at any time.
 */
export function eventReader(
  context: Context,
  followed: ThreadRecord,
  isShown = (name: string, run: RunRecord) => isOfRun(context, name, run),
): (run: RunRecord) => RunEvent[] {
  let stage: "new" | "pending" | "running" | "ended" = "new";
  let last = 0;
  let input: unknown;
  const started = new Set<number>();

  /** Returns the start of the task at a checkpoint, once. */
  const startOf = (source: EventSource, head: CheckpointRecord | undefined): RunEvent[] => {
    if (!head || started.has(head.seq)) return [];
    started.add(head.seq);
    return [...startEvents(source, head), ...nodeEvents(source, head)];
  };

  const eventsOf = (source: EventSource, checkpoint: CheckpointRecord): RunEvent[] => {
    const { seq, metadata, state, namespace, parent_id, created_at } = checkpoint;
    const { source: origin, writes, parents } = metadata;
    const { store } = context;
    last = seq;
    const outer = typeof parents[""] === "string" ? checkpointById(store, followed, parents[""]) : undefined;
    const shown = checkpointEvents(source, checkpoint);
    if (origin === "input") input = writes?.[start];
    if (origin === "input") return [...startOf(source, outer), ...shown];
    const suffix = namespace && `|${namespace}`;
    const isOfNode = origin === "loop" && writes !== null && !(start in writes);
    const change = writes === null ? input : Object.values(writes)[0];
    const parent = isOfNode && parent_id !== null ? checkpointById(store, followed, parent_id) : undefined;
    const messages = messageEvents(source, checkpoint);
    // The server in JavaScript takes whole messages from the values.
    const isLate = ({ name }: RunEvent) => name === "messages/complete" && context.settings.agentServer !== "python";
    return [
      ...startOf(source, parent),
      ...(parent ? nodeEvents(source, parent, change) : []),
      ...messages.filter((event) => !isLate(event)),
      ...(isOfNode ? [{ name: `updates${suffix}`, data: writes }] : []),
      ...(parent ? resultEvents(source, parent, created_at) : []),
      ...(origin !== "loop" || isFilled(change)
        ? [referenceEvent(checkpoint), { name: `values${suffix}`, data: state }]
        : []),
      ...messages.filter(isLate),
      ...shown,
    ];
  };

  return (run) => {
    // What it has reached changes while it is followed.
    const thread = threadBySeq(context.store, followed.seq) ?? followed;
    const source = { context, thread, run };
    const events: RunEvent[] = [];
    if (stage === "new") events.push({ name: "metadata", data: { run_id: run.id, attempt: 1 } });
    if (stage === "new") stage = "pending";
    const { stream_subgraphs = false } = run.request;
    const checkpoints = checkpointsOfRun(context.store, thread.seq, run.id, {
      after: last,
      withSubgraphs: stream_subgraphs,
    });
    if (stage === "pending" && run.started_at !== null) {
      stage = "running";
      events.push(runStartEvent(source));
      events.push(...eventsOfStart(source, checkpoints[0]));
    }
    events.push(...checkpoints.flatMap((checkpoint) => eventsOf(source, checkpoint)));
    const head = lastCheckpointOf(context.store, thread, run.id);
    if (isInTask(run)) events.push(...startOf(source, head));
    if (stage !== "ended" && hasEnded(run)) {
      stage = "ended";
      events.push(...eventsOfEnd(source, head));
      if (run.status === "success") events.push(runEndEvent(source, head?.state ?? {}));
    }
    const shown = events.filter(({ name }) => isShown(name, run));
    return shown.map(({ name, data }) => ({ name: name.replace("reference", "checkpoints"), data }));
  };
}

/** Whether the last node of a run that has ended failed or asked for input. */
function hasOutcome({ status, spans }: RunRecord): boolean {
  return status !== "pending" && spans.at(-1)?.output === null;
}

/** Whether a run has begun the next task: it is in progress, was cancelled there, or that task was its last. */
function isInTask(run: RunRecord): boolean {
  const { status, started_at } = run;
  return status === "running" || (status === "interrupted" && started_at !== null) || hasOutcome(run);
}

/** A run that continues, without an input, first shows where. */
function eventsOfStart(source: EventSource, first: CheckpointRecord | undefined): RunEvent[] {
  const { context, thread, run } = source;
  const { request, spans, status } = run;
  const { store } = context;
  if (request.input != null || (first && first.metadata.source !== "loop")) return [];
  // It had nowhere to start.
  if (!first && spans.length === 0 && status === "error") return [];
  const before = first?.parent_id ? checkpointById(store, thread, first.parent_id) : latestCheckpoint(store, thread);
  const state = first ? before?.state : (spans[0]?.input ?? before?.state);
  if (!state || !before) return [];
  return [referenceEvent(before), { name: "values", data: state }, ...checkpointEvents(source, before, true)];
}

function eventsOfEnd(source: EventSource, head: CheckpointRecord | undefined): RunEvent[] {
  const { context, thread, run } = source;
  const error = errorOf(run);
  const __interrupt__ = interruptsOf(context, thread, run);
  const hasAsked = __interrupt__.length > 0;
  // What a later run has resumed was no result of this one.
  const asking = head && hasAsked ? { ...head, tasks: head.tasks.map((task) => ({ ...task, result: null })) } : head;
  const outcome = asking && hasOutcome(run) ? resultEvents(source, asking, run.updated_at) : [];
  if (error) return [...outcome, { name: "error", data: error }];
  // One that was cancelled stops anywhere.
  if (run.status === "interrupted") return [];
  const isPython = context.settings.agentServer === "python";
  const { state = {}, next = [] } = head ?? {};
  if (!hasAsked && next.length === 0 && !stopsAfter(run)) return [];
  return [
    { name: "updates", data: { __interrupt__ } },
    // The server in Python shows no values when a run stops before or after a node.
    ...(hasAsked || !isPython ? [{ name: "values", data: { ...(isPython && state), __interrupt__ } }] : []),
    ...outcome,
  ];
}

/** Returns the modes of a run: those of its request. */
export function modesOf({ request }: RunRecord): string[] {
  const modes = [request.stream_mode ?? []].flat().map(String);
  return modes.length > 0 ? modes : ["values"];
}

/** Returns whether a run with these modes has an event. */
function isOfRun({ settings }: Context, name: string, run: RunRecord): boolean {
  const [mode = ""] = name.split(/[|/]/);
  const modes = modesOf(run);
  if (mode === "messages") return modes.includes(name === mode ? "messages-tuple" : mode);
  if (mode !== "reference") return [...modes, "metadata", "error"].includes(mode);
  // The server in JavaScript shows it with the subgraphs of a run that shows values, unless it shows the checkpoints.
  const hasValues = ["values", "messages"].some((one) => modes.includes(one)) && !modes.includes("checkpoints");
  return settings.agentServer !== "python" && hasValues && run.request.stream_subgraphs === true;
}

/** Returns whether a client that joins a run with these modes gets an event. */
export function isOfModes(name: string, modes: readonly string[]): boolean {
  const [mode = ""] = name.split(/[|/]/);
  return modes.includes(mode) || (mode === "messages" && modes.includes("messages-tuple"));
}

/** Returns the interrupts of a run whose last node asked for input. */
export function interruptsOf({ store }: Context, thread: ThreadRecord, { id, spans }: RunRecord) {
  const last = spans.at(-1);
  const hasAsked = last?.output === null && last.error === null;
  const tasks = (hasAsked && lastCheckpointOf(store, thread, id)?.tasks) || [];
  return tasks.flatMap(({ interrupts }) => interrupts);
}

/** Returns the error of a run that failed; one that was cancelled only ends. */
export function errorOf({ status, error }: RunRecord) {
  return status === "error" ? { error: errorType(error ?? ""), message: error } : undefined;
}

function isFilled(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/** More than the events of a run. */
const MAX_EVENTS = 1_000_000;

/** Returns the ID of an event, by which a client that lost the stream names the last event that it has. */
export function eventId({ settings }: Context, { created_at, seq }: RunRecord, position: number): string {
  // In Python, IDs are milliseconds and a number within them.
  return settings.agentServer === "python"
    ? `${Date.parse(created_at)}-${seq * MAX_EVENTS + position}`
    : String(position);
}

/** Returns whether an event follows the last one that a client has, by their IDs. */
export function isAfter({ settings }: Context, id: string, last: string): boolean {
  if (settings.agentServer === "javascript") return Number(id) > Number(last);
  // A text that begins with a minus sign is before all events, and any other one after all.
  if (!/^\d/.test(last)) return last.startsWith("-");
  const [ms = 0, number = 0] = id.split("-").map(Number);
  const [otherMs = 0, otherNumber = 0] = last.split("-").map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}
