import type { Context } from "../../runtime/context";
import { fromRow, type Row, type Store, toRow } from "../../runtime/storage/store";
import type { ExportStatus } from "../exports/status";
import { type Micros, nowMicros } from "../timestamps";

export interface RunResult {
  rows_written: number;
  exported_files: string[];
  export_path: string;
}

/** One day of one project in an export, as stored. */
export interface RunRecord {
  id: string;
  bulk_export_id: string;
  /** Null for a run that only reports why there are no others. */
  session_id: string | null;
  start_time: Micros;
  end_time: Micros;
  /** The folder of its file in the bucket. */
  prefix: string;
  status: ExportStatus;
  retry_number: number;
  /** An attempt is running, or was when the process ended. */
  in_flight: boolean;
  /** Errors by attempt: `retry_0` is the first. */
  errors: Record<string, string> | null;
  result: RunResult | null;
  created_at: Micros;
  updated_at: Micros;
  finished_at: Micros | null;
}

export function insertRun(store: Store, record: RunRecord): void {
  store.upsert("export_runs", toRow(record));
}

export function updateRun({ store, clock }: Context, id: string, change: Partial<RunRecord>): void {
  store.update("export_runs", { id }, toRow({ updated_at: nowMicros(clock), ...change }));
}

export function runById(store: Store, id: string): RunRecord | undefined {
  const row = store.get("SELECT * FROM export_runs WHERE id = ?", id);
  return row && toRun(row);
}

/** Returns the runs of an export by project and day. */
export function runsOf(store: Store, exportId: string): RunRecord[] {
  return store.all("SELECT * FROM export_runs WHERE bulk_export_id = ? ORDER BY seq", exportId).map(toRun);
}

/** Returns the runs of all exports that a schedule created, in order. */
export function spawnedRunsOf(store: Store, scheduleId: string): RunRecord[] {
  const sql = `SELECT r.* FROM export_runs r JOIN exports e ON e.id = r.bulk_export_id
    WHERE e.source_bulk_export_id = ? ORDER BY e.seq, r.seq`;
  return store.all(sql, scheduleId).map(toRun);
}

export function countRuns(store: Store, exportId: string, status: ExportStatus): number {
  const sql = "SELECT count(*) AS count FROM export_runs WHERE bulk_export_id = ? AND status = ?";
  return Number(store.get(sql, exportId, status)?.count);
}

export function unfinishedRuns(store: Store, exportId: string): RunRecord[] {
  const sql = "SELECT * FROM export_runs WHERE bulk_export_id = ? AND status IN ('CREATED', 'RUNNING') ORDER BY seq";
  return store.all(sql, exportId).map(toRun);
}

export function waitingRuns(store: Store, exportId: string, limit: number): RunRecord[] {
  const sql = "SELECT * FROM export_runs WHERE bulk_export_id = ? AND status = 'CREATED' ORDER BY seq LIMIT ?";
  return store.all(sql, exportId, limit).map(toRun);
}

/** Returns the runs whose attempt the end of the process interrupted. */
export function runsInFlight(store: Store): RunRecord[] {
  return store.all("SELECT * FROM export_runs WHERE in_flight = 1 ORDER BY seq").map(toRun);
}

function toRun({ seq: _, ...row }: Row): RunRecord {
  return fromRow(row, { json: ["errors", "result"], booleans: ["in_flight"] });
}
