import type { Context } from "../../runtime/context";
import type { Compression } from "../../runtime/options";
import { fromRow, type Row, type Store, toRow } from "../../runtime/storage/store";
import { type Micros, nowMicros } from "../timestamps";
import type { ExportStatus } from "./status";

/** An export as stored. */
export interface ExportRecord {
  id: string;
  tenant_id: string;
  bulk_export_destination_id: string;
  session_id: string | null;
  all_experiments: boolean;
  start_time: Micros;
  /** Null for a schedule. */
  end_time: Micros | null;
  interval_hours: number | null;
  filter: string | null;
  export_fields: string[] | null;
  format: string;
  format_version: string;
  compression: Compression;
  status: ExportStatus;
  source_bulk_export_id: string | null;
  /** The index of its window in the schedule, from 0. */
  source_window: number | null;
  /** For a schedule: the index of the next window. */
  next_window: number;
  /** Waits until fewer exports are running. */
  ready: boolean;
  created_at: Micros;
  updated_at: Micros;
  finished_at: Micros | null;
}

export function insertExport({ store }: Context, record: ExportRecord): void {
  store.upsert("exports", toRow(record));
}

export function updateExport({ store, clock }: Context, id: string, change: Partial<ExportRecord>): void {
  store.update("exports", { id }, toRow({ updated_at: nowMicros(clock), ...change }));
}

export function exportById(store: Store, id: string): ExportRecord | undefined {
  const row = store.get("SELECT * FROM exports WHERE id = ?", id);
  return row && toExport(row);
}

/** Returns the exports of a workspace, newest first. */
export function exportsOf(store: Store, tenantId: string): ExportRecord[] {
  return store.all("SELECT * FROM exports WHERE tenant_id = ? ORDER BY seq DESC", tenantId).map(toExport);
}

export function allExports(store: Store): ExportRecord[] {
  return store.all("SELECT * FROM exports ORDER BY seq").map(toExport);
}

export function countExports(store: Store, tenantId: string, status: ExportStatus): number {
  const sql = "SELECT count(*) AS count FROM exports WHERE tenant_id = ? AND status = ?";
  return Number(store.get(sql, tenantId, status)?.count);
}

/** Returns the oldest export that waits to run. */
export function nextReady(store: Store, tenantId: string): ExportRecord | undefined {
  const sql = "SELECT * FROM exports WHERE tenant_id = ? AND status = 'CREATED' AND ready = 1 ORDER BY seq LIMIT 1";
  const row = store.get(sql, tenantId);
  return row && toExport(row);
}

/** Returns the times of all creations since then, oldest first. */
export function creationsSince(store: Store, tenantId: string, since: Micros): Micros[] {
  const sql = "SELECT created_at FROM exports WHERE tenant_id = ? AND created_at > ? ORDER BY created_at";
  return store.all(sql, tenantId, since).map((row) => Number(row.created_at));
}

function toExport({ seq: _, ...row }: Row): ExportRecord {
  return fromRow(row, { json: ["export_fields"], booleans: ["all_experiments", "ready"] });
}
