import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import * as agentServer from "../../agent-server/tables";
import * as bucket from "../../bucket/tables";
import * as bulkExport from "../../bulk-export/tables";
import * as tracing from "../../tracing/tables";

/** A row as SQLite gives it; JSON columns are still text. */
export type Row = Record<string, SQLInputValue>;

const own = `
  CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, due_at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
    owner TEXT NOT NULL, payload TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (due_at, id);
  CREATE INDEX IF NOT EXISTS jobs_subject ON jobs (subject);
  CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner);
  CREATE TABLE IF NOT EXISTS faults (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, skip INTEGER NOT NULL, remaining INTEGER NOT NULL, fault TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, entry TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS workspaces (id TEXT PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, organization INTEGER NOT NULL, workspaces TEXT NOT NULL, expires_at TEXT);
  CREATE TABLE IF NOT EXISTS listeners (id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, seq INTEGER NOT NULL, listener TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS integrations (id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, installation_id INTEGER NOT NULL, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS repositories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, integration_id TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL,
    url TEXT NOT NULL, default_branch TEXT NOT NULL, UNIQUE (integration_id, url));
  CREATE TABLE IF NOT EXISTS commits (repo_url TEXT NOT NULL, ref TEXT NOT NULL, sha TEXT NOT NULL, PRIMARY KEY (repo_url, ref));
  CREATE TABLE IF NOT EXISTS namespaces (
    cluster TEXT NOT NULL, name TEXT NOT NULL, secrets TEXT, service_accounts TEXT, PRIMARY KEY (cluster, name));
  CREATE TABLE IF NOT EXISTS tarballs (
    id TEXT PRIMARY KEY, deployment_id TEXT NOT NULL, object_path TEXT NOT NULL UNIQUE, signature TEXT NOT NULL,
    headers TEXT NOT NULL, created_at TEXT NOT NULL, uploaded_at TEXT);
  DROP TABLE IF EXISTS uploads;
  CREATE TABLE IF NOT EXISTS deployments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tenant_id TEXT NOT NULL, name TEXT NOT NULL, source TEXT NOT NULL,
    status TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, source_config TEXT NOT NULL, secrets TEXT NOT NULL,
    secret_references TEXT, first_revision_config TEXT, latest_revision_id TEXT, active_revision_id TEXT, image_version TEXT,
    is_managed_deep_agent INTEGER NOT NULL, remote_reconciled INTEGER NOT NULL, tag_value_ids TEXT NOT NULL,
    UNIQUE (tenant_id, name));
  CREATE TABLE IF NOT EXISTS revisions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, deployment_id TEXT NOT NULL, status TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, source_revision_config TEXT NOT NULL, plan TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS revisions_deployment ON revisions (deployment_id, seq);
  CREATE TABLE IF NOT EXISTS logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, deployment_id TEXT NOT NULL, revision_id TEXT NOT NULL, type TEXT NOT NULL,
    at INTEGER NOT NULL, level TEXT NOT NULL, message TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS logs_revision ON logs (revision_id, type, id);
`;

/** The tables of a room, each with IF NOT EXISTS, and the columns that a file of an earlier version lacks. */
interface Tables {
  schema: string;
  added?: Record<string, Record<string, string>>;
}

/** Every room declares its own. */
const rooms: Tables[] = [
  { schema: own, added: { deployments: { first_revision_config: "TEXT" } } },
  tracing,
  agentServer,
  bulkExport,
  bucket,
];

/** The one SQLite file that holds everything but the content of uploads and objects. */
export class Store {
  /** Where the file is, for workers that read it. */
  readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly onceCommitted: (() => void)[] = [];

  /** What does not last needs no disk that keeps up: a `temporary` folder is not looked at again after a power cut. */
  constructor(folder: string, temporary = false) {
    this.path = join(folder, "emulator.sqlite");
    this.database = new DatabaseSync(this.path);
    // WAL: what is committed is in the file even after kill -9, and workers read while requests write.
    const synchronous = temporary ? "OFF" : "NORMAL";
    this.database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000`);
    // The index of a million runs' ids is larger than SQLite's own 2 MB; taken as it is needed, in KiB.
    this.database.exec("PRAGMA cache_size = -65536");
    this.transaction(() => {
      for (const { schema, added = {} } of rooms) {
        this.database.exec(schema);
        for (const [table, columns] of Object.entries(added)) this.complete(table, columns);
      }
    });
  }

  /** Adds what a file of an earlier version lacks. */
  private complete(table: string, columns: Record<string, string>): void {
    const there = this.all(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
    for (const [column, type] of Object.entries(columns)) {
      if (!there.includes(column)) this.database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined;
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).lastInsertRowid);
  }

  /** Writes one row, replacing the one with the same key. */
  put(table: string, row: Row): void {
    const columns = Object.keys(row);
    const marks = columns.map(() => "?").join(", ");
    this.run(`INSERT OR REPLACE INTO ${table} (${columns.join(", ")}) VALUES (${marks})`, ...Object.values(row));
  }

  /** All or nothing. Inside another transaction it is part of that one. */
  transaction<T>(work: () => T): T {
    if (this.database.isTransaction) return work();
    this.database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.database.exec("COMMIT");
      for (const next of this.onceCommitted.splice(0)) next();
      return result;
    } catch (error) {
      this.onceCommitted.length = 0;
      if (this.database.isTransaction) this.database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Does something outside the file once what is being written there is sure to stay. */
  afterCommit(work: () => void): void {
    if (this.database.isTransaction) this.onceCommitted.push(work);
    else work();
  }

  /** Empties all tables but the clock's and the other rooms' state. */
  empty(): void {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'state' AND name NOT LIKE 'sqlite_%'";
    for (const { name } of this.all(sql)) this.run(`DELETE FROM ${name}`);
    this.run("DELETE FROM state WHERE key = 'planted'");
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  private statement(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}
