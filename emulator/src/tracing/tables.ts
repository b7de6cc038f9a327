import type { Tables } from "../runtime/storage/store";

/**
 * Projects and their trace runs. Times of runs are microseconds since 1970 UTC, lists and JSON are text, booleans are 1
 * or 0. Long columns come last: SQLite reads a row from its start, and an export without inputs and outputs stops
 * before them.
 */
export const tables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS projects (
    id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, name TEXT NOT NULL, start_time TEXT NOT NULL,
    reference_dataset_id TEXT, UNIQUE (tenant_id, name));
  CREATE TABLE IF NOT EXISTS runs (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, tenant_id TEXT NOT NULL, session_id TEXT NOT NULL,
    start_time INTEGER NOT NULL, end_time INTEGER, first_token_time INTEGER, name TEXT NOT NULL, run_type TEXT NOT NULL,
    status TEXT NOT NULL, is_root INTEGER NOT NULL, trace_tier TEXT, trace_id TEXT NOT NULL, parent_run_id TEXT,
    reference_example_id TEXT, total_tokens INTEGER, prompt_tokens INTEGER, completion_tokens INTEGER, total_cost REAL,
    prompt_cost REAL, completion_cost REAL, dotted_order TEXT NOT NULL, parent_run_ids TEXT NOT NULL, tags TEXT,
    feedback_stats TEXT, error TEXT, extra TEXT, events TEXT, inputs TEXT, outputs TEXT, UNIQUE (id, tenant_id));
  CREATE INDEX IF NOT EXISTS runs_session ON runs (session_id, start_time, id);
  CREATE TABLE IF NOT EXISTS feedback (run INTEGER NOT NULL, key TEXT NOT NULL, score REAL, value TEXT);
  CREATE INDEX IF NOT EXISTS feedback_run ON feedback (run);
  CREATE TABLE IF NOT EXISTS loads (load TEXT NOT NULL, made TEXT, first INTEGER NOT NULL, last INTEGER NOT NULL);
`,
  addedColumns: { projects: { reference_dataset_id: "TEXT" } },
};
