import type { Tables } from "../runtime/storage/store";

/**
 * Threads, checkpoints, runs, assistants, crons and stored items of all agent servers. JSON is stored as text. `seq` is
 * the order of creation; `head` is the checkpoint of the current state, and the namespace of a checkpoint that of a
 * subgraph. A label is one leaf of a thread's metadata (threads/json-index.ts).
 */
export const tables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS threads (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, deployment_id TEXT NOT NULL, status TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, state_updated_at TEXT NOT NULL, head INTEGER, ttl TEXT,
    error TEXT,
    config TEXT NOT NULL, metadata TEXT NOT NULL, UNIQUE (deployment_id, id));
  CREATE INDEX IF NOT EXISTS threads_created ON threads (deployment_id, created_at, seq);
  CREATE INDEX IF NOT EXISTS threads_updated ON threads (deployment_id, updated_at, seq);
  CREATE TABLE IF NOT EXISTS thread_labels (
    deployment_id TEXT NOT NULL, path TEXT NOT NULL, value TEXT NOT NULL,
    thread INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
    PRIMARY KEY (deployment_id, path, value, thread)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS thread_labels_thread ON thread_labels (thread);
  CREATE TABLE IF NOT EXISTS checkpoints (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
    id TEXT NOT NULL,
    parent_id TEXT, run_id TEXT, created_at TEXT NOT NULL, next TEXT NOT NULL, tasks TEXT NOT NULL,
    metadata TEXT NOT NULL,
    state TEXT NOT NULL, namespace TEXT NOT NULL DEFAULT '', is_transient INTEGER NOT NULL DEFAULT 0,
    UNIQUE (thread, id));
  CREATE INDEX IF NOT EXISTS checkpoints_thread ON checkpoints (thread, seq);
  CREATE TABLE IF NOT EXISTS agent_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    thread INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
    assistant_id TEXT NOT NULL, graph_id TEXT NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    started_at INTEGER, error TEXT, spans TEXT NOT NULL, metadata TEXT NOT NULL, request TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS agent_runs_thread ON agent_runs (thread, seq);
  CREATE TABLE IF NOT EXISTS assistants (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, deployment_id TEXT NOT NULL, version INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, graph_id TEXT NOT NULL, name TEXT NOT NULL, description TEXT,
    config TEXT NOT NULL, context TEXT NOT NULL, metadata TEXT NOT NULL, UNIQUE (deployment_id, id));
  CREATE TABLE IF NOT EXISTS assistant_versions (
    assistant INTEGER NOT NULL REFERENCES assistants (seq) ON DELETE CASCADE, version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    graph_id TEXT NOT NULL, name TEXT NOT NULL, description TEXT, config TEXT NOT NULL, context TEXT NOT NULL,
    metadata TEXT NOT NULL, PRIMARY KEY (assistant, version)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS crons (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, deployment_id TEXT NOT NULL,
    assistant INTEGER NOT NULL REFERENCES assistants (seq) ON DELETE CASCADE,
    thread INTEGER REFERENCES threads (seq) ON DELETE CASCADE,
    user_id TEXT NOT NULL, schedule TEXT NOT NULL, timezone TEXT, end_time TEXT, enabled INTEGER NOT NULL,
    on_run_completed TEXT,
    metadata TEXT NOT NULL, payload TEXT NOT NULL, next_run_date TEXT NOT NULL, created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS crons_deployment ON crons (deployment_id, seq);
  CREATE INDEX IF NOT EXISTS crons_assistant ON crons (assistant);
  CREATE INDEX IF NOT EXISTS crons_thread ON crons (thread);
  CREATE TABLE IF NOT EXISTS stored_items (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, deployment_id TEXT NOT NULL, namespace TEXT NOT NULL, key TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (deployment_id, namespace, key));
  CREATE TABLE IF NOT EXISTS agent_graphs (
    deployment_id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (deployment_id, name));
`,
  addedColumns: { checkpoints: { namespace: "TEXT NOT NULL DEFAULT ''", is_transient: "INTEGER NOT NULL DEFAULT 0" } },
};
