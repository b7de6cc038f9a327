import type { Tables } from "../runtime/storage/store";

/**
 * Destinations, exports and their runs. Times are microseconds since 1970 UTC, lists and objects JSON, `credentials`
 * encrypted. A schedule is an export with `interval_hours`; each export that it created has its ID and the unique
 * number of its window.
 */
export const tables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS destinations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL,
    destination_type TEXT NOT NULL,
    display_name TEXT NOT NULL, config TEXT NOT NULL, credentials TEXT, credentials_keys TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS exports (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL,
    bulk_export_destination_id TEXT NOT NULL, session_id TEXT, all_experiments INTEGER NOT NULL,
    start_time INTEGER NOT NULL,
    end_time INTEGER, interval_hours INTEGER, filter TEXT, export_fields TEXT, format TEXT NOT NULL,
    format_version TEXT NOT NULL, compression TEXT NOT NULL, status TEXT NOT NULL, source_bulk_export_id TEXT,
    source_window INTEGER, next_window INTEGER NOT NULL, ready INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, finished_at INTEGER, UNIQUE (source_bulk_export_id, source_window));
  CREATE INDEX IF NOT EXISTS exports_tenant ON exports (tenant_id, created_at);
  CREATE INDEX IF NOT EXISTS exports_status ON exports (tenant_id, status, ready);
  CREATE INDEX IF NOT EXISTS exports_destination ON exports (bulk_export_destination_id);
  CREATE TABLE IF NOT EXISTS export_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, bulk_export_id TEXT NOT NULL, session_id TEXT,
    start_time INTEGER NOT NULL, end_time INTEGER NOT NULL, prefix TEXT NOT NULL, status TEXT NOT NULL,
    retry_number INTEGER NOT NULL, in_flight INTEGER NOT NULL, errors TEXT, result TEXT, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, finished_at INTEGER, UNIQUE (bulk_export_id, session_id, start_time));
  CREATE INDEX IF NOT EXISTS export_runs_status ON export_runs (bulk_export_id, status);
`,
  addedColumns: { destinations: { aws_role_arn: "TEXT" } },
};
