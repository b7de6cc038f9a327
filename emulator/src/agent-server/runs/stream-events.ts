import type { Context } from "../../runtime/context";
import { isObject } from "../../runtime/validation/validator";
import {
  type CheckpointRecord,
  checkpointById,
  checkpointsOfRun,
  lastCheckpointOf,
  latestCheckpoint,
} from "../threads/checkpoints";
import { type ThreadRecord, threadBySeq } from "../threads/records";
import { hasEnded, type RunRecord } from "./records";
import { start } from "./writes";

/** One event of a stream. Its name is a mode, and for a subgraph `MODE|NAMESPACE`. */
export interface RunEvent {
  name: string;
  data: unknown;
}

/**
 * Returns a function that returns what a run has done since the previous call, as the events of its modes. They follow
 * from what the run has written, so they are the same at any time.
 */
export function eventReader(context: Context, followed: ThreadRecord): (run: RunRecord) => RunEvent[] {
  let stage: "new" | "pending" | "running" | "ended" = "new";
  let last = 0;
  let input: unknown;

  const eventsOf = (checkpoint: CheckpointRecord): RunEvent[] => {
    const { seq, metadata, state, namespace } = checkpoint;
    const { source, writes } = metadata;
    last = seq;
    if (source === "input") input = writes?.[start];
    if (source === "input") return [];
    const suffix = namespace && `|${namespace}`;
    const isOfNode = source === "loop" && writes !== null && !(start in writes);
    const change = writes === null ? input : Object.values(writes)[0];
    return [
      ...(isOfNode ? [{ name: `updates${suffix}`, data: writes }] : []),
      ...(source !== "loop" || isFilled(change) ? [{ name: `values${suffix}`, data: state }] : []),
    ];
  };

  return (run) => {
    // What it has reached changes while it is followed.
    const thread = threadBySeq(context.store, followed.seq) ?? followed;
    const events: RunEvent[] = [];
    if (stage === "new") events.push({ name: "metadata", data: { run_id: run.id, attempt: 1 } });
    if (stage === "new") stage = "pending";
    const { stream_subgraphs = false } = run.request;
    const checkpoints = checkpointsOfRun(context.store, thread.seq, run.id, {
      after: last,
      withSubgraphs: stream_subgraphs,
    });
    if (stage === "pending" && run.status !== "pending") {
      stage = "running";
      events.push(...eventsOfStart(context, thread, run, checkpoints[0]));
    }
    events.push(...checkpoints.flatMap(eventsOf));
    if (stage !== "ended" && hasEnded(run)) {
      stage = "ended";
      events.push(...eventsOfEnd(context, thread, run));
    }
    return events.filter(({ name }) => isOfModes(name, [...modesOf(run), "metadata", "error"]));
  };
}

/** A run that continues, without an input, first shows where. */
function eventsOfStart(
  { store }: Context,
  thread: ThreadRecord,
  { request, spans, error }: RunRecord,
  first: CheckpointRecord | undefined,
): RunEvent[] {
  if (request.input != null || (first && first.metadata.source !== "loop")) return [];
  // It had nowhere to start.
  if (!first && spans.length === 0 && error !== null) return [];
  const before = first?.parent_id ? checkpointById(store, thread, first.parent_id) : latestCheckpoint(store, thread);
  const state = first ? before?.state : (spans[0]?.input ?? before?.state);
  return state ? [{ name: "values", data: state }] : [];
}

function eventsOfEnd(context: Context, thread: ThreadRecord, run: RunRecord): RunEvent[] {
  const error = errorOf(run);
  if (error) return [{ name: "error", data: error }];
  const isPython = context.settings.agentServer === "python";
  const { state = {}, next = [] } = lastCheckpointOf(context.store, thread, run.id) ?? {};
  const __interrupt__ = interruptsOf(context, thread, run);
  const hasAsked = __interrupt__.length > 0;
  if (!hasAsked && next.length === 0) return [];
  return [
    { name: "updates", data: { __interrupt__ } },
    // The server in Python shows no values when a run stops before or after a node.
    ...(hasAsked || !isPython ? [{ name: "values", data: { ...(isPython && state), __interrupt__ } }] : []),
  ];
}

/** Returns the modes of a run: those of its request. */
export function modesOf({ request }: RunRecord): string[] {
  const modes = [request.stream_mode ?? []].flat().map(String);
  return modes.length > 0 ? modes : ["values"];
}

export function isOfModes(name: string, modes: readonly string[]): boolean {
  const [mode = ""] = name.split("|");
  return modes.includes(mode);
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
  return status === "error" ? { error: "GraphError", message: error } : undefined;
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

/** Returns whether an event follows another one, whose ID may be any text. */
export function isAfter(id: string, other: string): boolean {
  const [ms = 0, number = 0] = id.split("-").map(Number);
  const [otherMs = 0, otherNumber = 0] = (/^\d+(-\d+)?$/.exec(other)?.[0] ?? "0").split("-").map(Number);
  return ms > otherMs || (ms === otherMs && number > otherNumber);
}

/** Returns the position of the event after the one with an ID: the first one, for an ID that names none of the run. */
export function positionAfter({ settings }: Context, { seq }: RunRecord, id: string): number {
  const number =
    settings.agentServer === "python" ? Number(/^\d+-(\d+)$/.exec(id)?.[1]) - seq * MAX_EVENTS : Number(id);
  return number >= 0 ? number + 1 : 0;
}
