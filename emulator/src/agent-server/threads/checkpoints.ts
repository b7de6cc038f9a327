import { randomUUID } from "node:crypto";
import type { Context } from "../../runtime/context";
import type { Row, Store } from "../../runtime/storage/store";
import { checkpointId } from "../ids";
import { parseRow, type ThreadRecord, toJsonRow, updateThread } from "./records";

export type State = Record<string, unknown>;

/** A pending node or the outcome of a node (API `2B.Thread state.tasks:items`). */
export interface Task {
  id: string;
  name: string;
  error: string | null;
  interrupts: { value: unknown; id: string }[];
  checkpoint: null;
  state: null;
  result: State | null;
}

/** What created a checkpoint. */
type Source = "input" | "loop" | "update" | "fork";

/** A checkpoint as stored. */
export interface CheckpointRecord {
  seq: number;
  thread: number;
  id: string;
  parent_id: string | null;
  run_id: string | null;
  created_at: string;
  next: string[];
  tasks: Task[];
  metadata: { source: Source; step: number; writes: State | null; parents: State; graph_id: string; run_id?: string };
  state: State;
}

const json = ["next", "tasks", "metadata", "state"];

/** The content of a new checkpoint. */
export interface NewCheckpoint {
  state: State;
  next: string[];
  source: Source;
  /** By node. */
  writes: State | null;
  graphId: string;
  runId?: string;
}

/** Returns the current state of a thread; undefined before the first checkpoint. */
export function latestCheckpoint(store: Store, thread: ThreadRecord): CheckpointRecord | undefined {
  return thread.head === null
    ? undefined
    : toOptionalCheckpoint(store.get("SELECT * FROM checkpoints WHERE seq = ?", thread.head));
}

export function checkpointById(store: Store, thread: ThreadRecord, id: string): CheckpointRecord | undefined {
  return toOptionalCheckpoint(store.get("SELECT * FROM checkpoints WHERE thread = ? AND id = ?", thread.seq, id));
}

/** Returns checkpoints, newest first; `before` is the `seq` of a checkpoint. */
export function checkpointsOf(store: Store, thread: ThreadRecord, limit: number, before?: number): CheckpointRecord[] {
  const sql = "SELECT * FROM checkpoints WHERE thread = ? AND seq < ? ORDER BY seq DESC LIMIT ?";
  return store.all(sql, thread.seq, before ?? Number.MAX_SAFE_INTEGER, limit).map(toCheckpoint);
}

/** Returns the checkpoints of a run, oldest first. */
export function checkpointsOfRun(store: Store, thread: number, runId: string, after = 0): CheckpointRecord[] {
  const sql = "SELECT * FROM checkpoints WHERE thread = ? AND run_id = ? AND seq > ? ORDER BY seq";
  return store.all(sql, thread, runId, after).map(toCheckpoint);
}

/** Adds a checkpoint after `parent` and makes it the current state of the thread. */
export function addCheckpoint(
  context: Pick<Context, "store" | "clock" | "scheduler">,
  thread: ThreadRecord,
  parent: CheckpointRecord | undefined,
  { state, next, source, writes, graphId, runId }: NewCheckpoint,
): CheckpointRecord {
  const { store, clock } = context;
  // As on real servers, the first step is -1 for an input and 0 otherwise.
  const step = parent ? parent.metadata.step + 1 : source === "input" ? -1 : 0;
  const last = Number(store.get("SELECT max(seq) AS seq FROM checkpoints")?.seq ?? 0);
  const record = {
    thread: thread.seq,
    id: checkpointId(clock.now(), last + 1, step),
    parent_id: parent?.id ?? null,
    run_id: runId ?? null,
    created_at: clock.isoNow(),
    next,
    tasks: next.map(newTask),
    metadata: { source, step, writes, parents: {}, graph_id: graphId, ...(runId !== undefined && { run_id: runId }) },
    state,
  };
  const seq = store.insert("checkpoints", toJsonRow(record, json));
  updateThread(context, thread, { head: seq, state_updated_at: record.created_at });
  return { ...record, seq };
}

export function updateTasks(store: Store, checkpoint: CheckpointRecord, tasks: Task[]): void {
  checkpoint.tasks = tasks;
  store.update("checkpoints", { seq: checkpoint.seq }, { tasks: JSON.stringify(tasks) });
}

/** Copies the history with its IDs and times (API `3.5`). Returns the `seq` of the new head. */
export function copyCheckpoints(store: Store, from: ThreadRecord, to: ThreadRecord): number | null {
  const columns = "id, parent_id, run_id, created_at, next, tasks, metadata, state";
  store.run(
    `INSERT INTO checkpoints (thread, ${columns}) SELECT ?, ${columns} FROM checkpoints WHERE thread = ? ORDER BY seq`,
    ...[to.seq, from.seq],
  );
  const head = latestCheckpoint(store, from);
  return (head && checkpointById(store, to, head.id)?.seq) ?? null;
}

/** Deletes the history except for the current state. */
export function pruneHistory({ store }: Pick<Context, "store">, thread: ThreadRecord): void {
  if (thread.head === null) return;
  store.run("DELETE FROM checkpoints WHERE thread = ? AND seq <> ?", thread.seq, thread.head);
  store.update("checkpoints", { seq: thread.head }, { parent_id: null });
}

function newTask(name: string): Task {
  return { id: randomUUID(), name, error: null, interrupts: [], checkpoint: null, state: null, result: null };
}

function toOptionalCheckpoint(row: Row | undefined): CheckpointRecord | undefined {
  return row && toCheckpoint(row);
}

function toCheckpoint(row: Row): CheckpointRecord {
  return parseRow(row, json) as unknown as CheckpointRecord;
}
