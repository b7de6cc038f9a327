import { limits } from "../../runtime/limits";
import { fromRow, type Store } from "../../runtime/storage/store";
import type { ModelCall } from "../graphs/built-in";
import type { State } from "../threads/checkpoints";
import { toJsonRow } from "../threads/records";
import type { RunBody } from "./schemas";

/** A node that has run, for the trace. Times are milliseconds since 1970. */
export interface Span {
  node: string;
  start: number;
  end: number;
  input: State;
  output: State | null;
  error: string | null;
  model: ModelCall | null;
}

/** A run as stored. */
export interface RunRecord {
  seq: number;
  id: string;
  /** `seq` of its thread. */
  thread: number;
  assistant_id: string;
  graph_id: string;
  status: "pending" | "running" | "success" | "error" | "interrupted";
  created_at: string;
  updated_at: string;
  /** Milliseconds since 1970; null while the run is pending. */
  started_at: number | null;
  error: string | null;
  spans: Span[];
  metadata: Record<string, unknown>;
  /** The request that started the run. */
  request: RunBody;
}

const json = ["spans", "metadata", "request"];
const inFlight = "status IN ('pending', 'running')";

export function insertRun(store: Store, run: Omit<RunRecord, "seq">): RunRecord {
  return { ...run, seq: store.insert("agent_runs", toJsonRow(run, json)) };
}

/** Updates a run in the store and in memory. */
export function updateRun(store: Store, run: RunRecord, change: Partial<RunRecord>): void {
  Object.assign(run, change);
  store.update("agent_runs", { seq: run.seq }, toJsonRow(change, json));
}

export function deleteRunRecord(store: Store, { seq }: RunRecord): void {
  store.run("DELETE FROM agent_runs WHERE seq = ?", seq);
}

export function runById(store: Store, id: string): RunRecord | undefined {
  return queryRuns(store, "SELECT * FROM agent_runs WHERE id = ?", id)[0];
}

/** Returns the runs of a thread, newest first. */
export function runsOf(store: Store, thread: number): RunRecord[] {
  return queryRuns(store, "SELECT * FROM agent_runs WHERE thread = ? ORDER BY seq DESC", thread);
}

/** Returns the unfinished runs of a thread in their order: the first one runs, or is the next to start. */
export function runsInFlight(store: Store, thread: number): RunRecord[] {
  const runs = queryRuns(store, `SELECT * FROM agent_runs WHERE thread = ? AND ${inFlight} ORDER BY seq`, thread);
  const startOf = (run: RunRecord) => (run.status === "running" ? 0 : earliestStartOf(run));
  return runs.sort((one, other) => startOf(one) - startOf(other));
}

/** Returns when a run may start, in milliseconds since 1970. */
export function earliestStartOf({ created_at, request: { after_seconds: seconds = 0 } }: RunRecord): number {
  return Date.parse(created_at) + Math.min(Math.max(seconds, 0) * 1000, limits.clock.maxAdvanceMs);
}

/** Returns all unfinished runs of a deployment, oldest first. */
export function runsInFlightOf(store: Store, deploymentId: string): RunRecord[] {
  const threads = "SELECT seq FROM threads WHERE deployment_id = ?";
  return queryRuns(
    store,
    `SELECT * FROM agent_runs WHERE thread IN (${threads}) AND ${inFlight} ORDER BY seq`,
    deploymentId,
  );
}

/** Returns the runs of an assistant, the last changed one first. */
export function runsOfAssistant(store: Store, deploymentId: string, assistantId: string): RunRecord[] {
  const sql = `SELECT * FROM agent_runs WHERE assistant_id = ?
    AND thread IN (SELECT seq FROM threads WHERE deployment_id = ?) ORDER BY updated_at DESC, seq DESC`;
  return store.all(sql, assistantId, deploymentId).map((row) => fromRow(row, { json }));
}

export function hasEnded({ status }: RunRecord): boolean {
  return status !== "pending" && status !== "running";
}

function queryRuns(store: Store, sql: string, value: string | number): RunRecord[] {
  return store.all(sql, value).map((row) => fromRow(row, { json }));
}
