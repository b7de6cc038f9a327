import { randomUUID } from "node:crypto";
import type { Context } from "../../runtime/context";
import { fromRow, type Row, type Store } from "../../runtime/storage/store";
import { checkpointId } from "../ids";
import { type ThreadRecord, toJsonRow, updateThread } from "./records";

export type State = Record<string, unknown>;

/** A pending node or the outcome of a node (API `2B.Thread state.tasks:items`). */
export interface Task {
  id: string;
  name: string;
  error: string | null;
  interrupts: { value: unknown; id: string }[];
  /** Where the checkpoints of its subgraph are. */
  checkpoint: { thread_id: string; checkpoint_ns: string } | null;
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
  /** That of a subgraph; empty for the graph of the thread. */
  namespace: string;
  created_at: string;
  next: string[];
  tasks: Task[];
  metadata: { source: Source; step: number; writes: State | null; parents: State; graph_id: string; run_id?: string };
  state: State;
  /** 1 while the history leaves it out: a step of a run that stores only its last one. */
  is_transient: 0 | 1;
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
  /** Its metadata are part of those of the checkpoint. */
  run?: { id: string; metadata: State };
  /** Default: that of the graph of the thread. */
  namespace?: string;
  /** The IDs of the checkpoints around that of a subgraph, by namespace. */
  parents?: Record<string, string>;
  /** Nodes that are subgraphs. */
  subgraphs?: readonly string[];
  isTransient?: boolean;
}

/** Returns the current state of a thread, or of one of its subgraphs; undefined before the first checkpoint. */
export function latestCheckpoint(store: Store, thread: ThreadRecord, namespace = ""): CheckpointRecord | undefined {
  if (namespace !== "") return checkpointsOf(store, thread, { limit: 1, namespace })[0];
  return thread.head === null
    ? undefined
    : toOptionalCheckpoint(store.get("SELECT * FROM checkpoints WHERE seq = ?", thread.head));
}

/** Returns the last checkpoint of a thread that a graph has written. */
export function latestOfGraph(store: Store, thread: ThreadRecord, graphId: string): CheckpointRecord | undefined {
  const sql = `SELECT * FROM checkpoints WHERE thread = ? AND namespace = ''
    AND json_extract(metadata, '$.graph_id') = ? ORDER BY seq DESC LIMIT 1`;
  return toOptionalCheckpoint(store.get(sql, thread.seq, graphId));
}

export function checkpointById(store: Store, thread: ThreadRecord, id: string): CheckpointRecord | undefined {
  return toOptionalCheckpoint(store.get("SELECT * FROM checkpoints WHERE thread = ? AND id = ?", thread.seq, id));
}

/**
 * Returns the checkpoint whose values a thread shows: the latest one, until someone writes the state of a subgraph,
 * whose values servers then show until the next checkpoint.
 */
export function shownCheckpoint(store: Store, thread: ThreadRecord): CheckpointRecord | undefined {
  const sql = `SELECT * FROM checkpoints WHERE thread = ? AND seq > ? AND namespace <> ''
    AND json_extract(metadata, '$.source') = 'update' ORDER BY seq DESC LIMIT 1`;
  return toOptionalCheckpoint(store.get(sql, thread.seq, thread.head ?? 0)) ?? latestCheckpoint(store, thread);
}

/** Returns the `seq` of a checkpoint, or of the first one with a greater ID: IDs are in the order of creation. */
export function seqFrom(store: Store, thread: ThreadRecord, id: string): number {
  const found = store.get("SELECT min(seq) AS seq FROM checkpoints WHERE thread = ? AND id >= ?", thread.seq, id);
  return Number(found?.seq ?? Number.MAX_SAFE_INTEGER);
}

/** Returns the checkpoints of a history, newest first; `before` is a `seq`. */
export function checkpointsOf(
  store: Store,
  thread: ThreadRecord,
  { limit, before = Number.MAX_SAFE_INTEGER, namespace = "" }: { limit: number; before?: number; namespace?: string },
): CheckpointRecord[] {
  const sql = `SELECT * FROM checkpoints WHERE thread = ? AND seq < ? AND namespace = ? AND is_transient = 0
    ORDER BY seq DESC LIMIT ?`;
  return store.all(sql, thread.seq, before, namespace, limit).map(toCheckpoint);
}

/** Returns the checkpoints of a run after the one with a `seq`, oldest first; those of subgraphs only on request. */
export function checkpointsOfRun(
  store: Store,
  thread: number,
  runId: string,
  { after = 0, withSubgraphs = false }: { after?: number; withSubgraphs?: boolean } = {},
): CheckpointRecord[] {
  const namespaces = withSubgraphs ? "" : "AND namespace = ''";
  const sql = `SELECT * FROM checkpoints WHERE thread = ? AND run_id = ? AND seq > ? ${namespaces} ORDER BY seq`;
  return store.all(sql, thread, runId, after).map(toCheckpoint);
}

/** Returns the checkpoint that a run has written last, or the latest one of its thread. */
export function lastCheckpointOf(store: Store, thread: ThreadRecord, runId: string): CheckpointRecord | undefined {
  const sql = "SELECT * FROM checkpoints WHERE thread = ? AND run_id = ? AND namespace = '' ORDER BY seq DESC LIMIT 1";
  return toOptionalCheckpoint(store.get(sql, thread.seq, runId)) ?? latestCheckpoint(store, thread);
}

/** Makes the last checkpoint of a run that has ended part of the history. */
export function keepLastOf(store: Store, { seq }: ThreadRecord, runId: string): void {
  const last = "SELECT max(seq) FROM checkpoints WHERE thread = ? AND run_id = ? AND namespace = ''";
  store.run(`UPDATE checkpoints SET is_transient = 0 WHERE seq = (${last})`, seq, runId);
}

/** Returns the ID of the checkpoint before another one in the history. */
export function shownParentOf(store: Store, thread: ThreadRecord, { parent_id }: CheckpointRecord): string | null {
  const parent = parent_id === null ? undefined : checkpointById(store, thread, parent_id);
  return parent?.is_transient === 1 ? shownParentOf(store, thread, parent) : parent_id;
}

/** Adds a checkpoint after `parent` and makes it the current state of the thread, or of a subgraph. */
export function addCheckpoint(
  context: Pick<Context, "store" | "clock" | "scheduler">,
  thread: ThreadRecord,
  parent: CheckpointRecord | undefined,
  content: NewCheckpoint,
): CheckpointRecord {
  const { store, clock } = context;
  const { state, next, source, writes, graphId, run, namespace = "", parents = {}, subgraphs = [] } = content;
  const is_transient: 0 | 1 = content.isTransient ? 1 : 0;
  // As on real servers, the first step is -1 for an input and 0 otherwise.
  const step = parent ? parent.metadata.step + 1 : source === "input" ? -1 : 0;
  const last = Number(store.get("SELECT max(seq) AS seq FROM checkpoints")?.seq ?? 0);
  const record = {
    thread: thread.seq,
    id: checkpointId(clock.now(), last + 1, step),
    parent_id: parent?.id ?? null,
    run_id: run?.id ?? null,
    created_at: clock.isoNow(),
    next,
    tasks: next.map((name) => newTask(name, subgraphs.includes(name) ? thread.id : undefined)),
    metadata: { ...run?.metadata, source, step, writes, parents, graph_id: graphId, ...(run && { run_id: run.id }) },
    state,
    namespace,
    is_transient,
  };
  const seq = store.insert("checkpoints", toJsonRow(record, json));
  updateThread(context, thread, { ...(namespace === "" && { head: seq }), state_updated_at: record.created_at });
  return { ...record, seq };
}

/** Returns the task that a run does next at a checkpoint, unless it is the start of the graph. */
export function nextTaskOf({ tasks, next: [node] }: CheckpointRecord): Task | undefined {
  return tasks.find(({ name }) => name === node && name !== "__start__");
}

export function updateTasks(store: Store, checkpoint: CheckpointRecord, tasks: Task[]): void {
  checkpoint.tasks = tasks;
  store.update("checkpoints", { seq: checkpoint.seq }, { tasks: JSON.stringify(tasks) });
}

/** Copies the history with its IDs and times (API `3.5`). Returns the `seq` of the new head. */
export function copyCheckpoints(store: Store, from: ThreadRecord, to: ThreadRecord): number | null {
  const columns = "id, parent_id, run_id, created_at, next, tasks, metadata, state, namespace, is_transient";
  store.run(
    `INSERT INTO checkpoints (thread, ${columns}) SELECT ?, ${columns} FROM checkpoints WHERE thread = ? ORDER BY seq`,
    ...[to.seq, from.seq],
  );
  const head = latestCheckpoint(store, from);
  return (head && checkpointById(store, to, head.id)?.seq) ?? null;
}

/** Deletes the history except for the current state, and for those of subgraphs. */
export function pruneHistory({ store }: Pick<Context, "store">, thread: ThreadRecord): void {
  if (thread.head === null) return;
  store.run("DELETE FROM checkpoints WHERE thread = ? AND seq <> ? AND namespace = ''", thread.seq, thread.head);
  store.update("checkpoints", { seq: thread.head }, { parent_id: null });
}

/** @param thread The ID of the thread, where the node is a subgraph. */
function newTask(name: string, thread: string | undefined): Task {
  const id = randomUUID();
  const checkpoint = thread === undefined ? null : { thread_id: thread, checkpoint_ns: `${name}:${id}` };
  return { id, name, error: null, interrupts: [], checkpoint, state: null, result: null };
}

function toOptionalCheckpoint(row: Row | undefined): CheckpointRecord | undefined {
  return row && toCheckpoint(row);
}

function toCheckpoint(row: Row): CheckpointRecord {
  return fromRow(row, { json });
}
