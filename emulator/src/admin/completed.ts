import type { RunResult } from "../bulk-export/runs/records";
import { finalStatuses } from "../control-plane/rollout/rollout";
import type { Clock } from "../runtime/scheduling/clock";
import type { Store } from "../runtime/storage/store";

/** A revision that reached a final status. */
interface CompletedRevision {
  kind: "revision";
  at: string;
  id: string;
  status: string;
  deployment: string;
  deployment_id: string;
}

/** A run of an export that has ended. */
interface CompletedExportRun {
  kind: "export_run";
  at: string;
  id: string;
  status: string;
  export_id: string;
  /** Null for a run that only reports why there are no others. */
  project: string | null;
  /** Start of the exported period. */
  day: string;
  rows: number;
  /** The error of the last attempt, if it failed. */
  error: string | null;
}

export type Completed = CompletedRevision | CompletedExportRun;

/** Returns what ended after a time of the clock, in order. */
export function completedAfter(store: Store, at: ReturnType<Clock["now"]>): Completed[] {
  const all = [...revisionsAfter(store, at), ...exportRunsAfter(store, at)];
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function revisionsAfter(store: Store, at: number): CompletedRevision[] {
  const sql = `SELECT r.id, r.status, r.updated_at, d.name, d.id AS deployment_id FROM revisions r
    JOIN deployments d ON d.id = r.deployment_id
    WHERE r.updated_at > ? AND r.status IN (SELECT value FROM json_each(?))
      AND json_array_length(r.plan, '$.steps') = 0 ORDER BY r.updated_at, r.seq`;
  return store
    .all(sql, new Date(at).toISOString(), JSON.stringify(finalStatuses))
    .map((row) => ({
      kind: "revision",
      at: String(row.updated_at),
      id: String(row.id),
      status: String(row.status),
      deployment: String(row.name),
      deployment_id: String(row.deployment_id),
    }));
}

function exportRunsAfter(store: Store, at: number): CompletedExportRun[] {
  const sql = `SELECT r.*, p.name AS project FROM export_runs r
    JOIN exports e ON e.id = r.bulk_export_id LEFT JOIN projects p ON p.id = r.session_id AND p.tenant_id = e.tenant_id
    WHERE r.finished_at > ? ORDER BY r.finished_at, r.seq`;
  return store.all(sql, at * 1000).map((row) => {
    const result: RunResult | null = row.result === null ? null : JSON.parse(String(row.result));
    const errors: string[] = Object.values(JSON.parse(String(row.errors)) ?? {});
    return {
      kind: "export_run",
      at: toIsoString(row.finished_at),
      id: String(row.id),
      status: String(row.status),
      export_id: String(row.bulk_export_id),
      day: toIsoString(row.start_time),
      rows: result?.rows_written ?? 0,
      project: row.project === null ? null : String(row.project),
      error: row.status === "COMPLETED" ? null : (errors.at(-1) ?? null),
    };
  });
}

function toIsoString(micros: unknown): string {
  return new Date(Number(micros) / 1000).toISOString();
}
