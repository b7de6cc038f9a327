import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** A row as SQLite returns it; JSON columns are still strings. */
export type Row = Record<string, SQLInputValue>;

/** Converts a record to SQLite values: lists and objects to JSON, booleans to 1 or 0. */
export function toRow(record: object): Row {
  const entries = Object.entries(record).map(([column, value]) => {
    if (typeof value === "object" && value !== null) return [column, JSON.stringify(value)];
    return [column, typeof value === "boolean" ? Number(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The columns of a table that SQLite stores as something else. */
interface Converted {
  json?: readonly string[];
  booleans?: readonly string[];
}

/** Converts a row to the record that was stored: the compiler cannot know which columns the statement returns. */
export function fromRow<T>(row: Row, { json = [], booleans = [] }: Converted): T {
  const read = (column: string, value: SQLInputValue): unknown => {
    if (json.includes(column)) return value === null ? null : JSON.parse(String(value));
    return booleans.includes(column) ? value === 1 : value;
  };
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, read(column, value)])) as T;
}

/** The tables of one feature, and the columns that data files of earlier versions lack. */
export interface Tables {
  /** SQL statements, each with IF NOT EXISTS. */
  schema: string;
  /** Names of tables by the names that they have in folders of earlier versions. */
  renamedTables?: Record<string, string>;
  /** Column types by table and column. */
  addedColumns?: Record<string, Record<string, string>>;
}

/** Tables of the runtime: clock, jobs, faults and request log. */
const runtimeTables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, due_at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
    owner TEXT NOT NULL, payload TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS jobs_due ON jobs (due_at, id);
  CREATE INDEX IF NOT EXISTS jobs_subject ON jobs (subject);
  CREATE INDEX IF NOT EXISTS jobs_owner ON jobs (owner);
  CREATE TABLE IF NOT EXISTS faults (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, skip INTEGER NOT NULL, remaining INTEGER NOT NULL,
    fault TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS request_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    entry TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS request_bodies (id INTEGER PRIMARY KEY, sealed TEXT NOT NULL);
`,
  renamedTables: { journal: "request_log", journal_bodies: "request_bodies" },
};

/** The SQLite file with all data except the contents of uploads and objects. */
export class Store {
  /** The path of the file, for workers that read it. */
  readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly commitCallbacks: (() => void)[] = [];

  /** Opens or creates the file with all tables. A `temporary` file is not synchronized to disk. */
  constructor(folder: string, tables: readonly Tables[], temporary = false) {
    this.path = join(folder, "emulator.sqlite");
    this.database = new DatabaseSync(this.path);
    // WAL: commits survive kill -9, and workers read while requests write.
    const synchronous = temporary ? "OFF" : "NORMAL";
    this.database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000`);
    // In KiB, allocated on demand. The ID index of a million runs exceeds SQLite's default of 2 MB.
    this.database.exec("PRAGMA cache_size = -65536");
    this.transaction(() => {
      for (const { schema, renamedTables = {}, addedColumns = {} } of [runtimeTables, ...tables]) {
        for (const [earlier, name] of Object.entries(renamedTables)) this.renameTable(earlier, name);
        this.database.exec(schema);
        for (const [table, columns] of Object.entries(addedColumns)) this.addMissingColumns(table, columns);
      }
    });
  }

  private renameTable(earlier: string, name: string): void {
    if (this.all(`SELECT name FROM pragma_table_info('${earlier}')`).length === 0) return;
    this.database.exec(`ALTER TABLE ${earlier} RENAME TO ${name}`);
  }

  private addMissingColumns(table: string, columns: Record<string, string>): void {
    const existing = this.all(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
    for (const [column, type] of Object.entries(columns)) {
      if (!existing.includes(column)) this.database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  /** Returns the rows one by one. Nothing else may run the same statement meanwhile. */
  iterate(sql: string, ...values: SQLInputValue[]): Iterable<Row> {
    return this.statement(sql).iterate(...values) as Iterable<Row>;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values) as Row | undefined;
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.statement(sql).run(...values).lastInsertRowid);
  }

  /** Inserts one row and returns its ROWID. */
  insert(table: string, row: Row): number {
    return this.insertRow("INSERT", table, row);
  }

  /** Updates one row, selected by its `id` or `seq`. */
  update(table: string, key: { id: string } | { seq: number }, row: Row): void {
    const assignments = Object.keys(row).map((column) => `${column} = ?`);
    const [[name, value]] = Object.entries(key) as [[string, SQLInputValue]];
    this.run(`UPDATE ${table} SET ${assignments.join(", ")} WHERE ${name} = ?`, ...Object.values(row), value);
  }

  /** Inserts one row or replaces the row with the same key. */
  upsert(table: string, row: Row): void {
    this.insertRow("INSERT OR REPLACE", table, row);
  }

  /** Runs a function in a transaction; joins the current one if there is one. */
  transaction<T>(callback: () => T): T {
    if (this.database.isTransaction) return callback();
    this.database.exec("BEGIN IMMEDIATE");
    try {
      const result = callback();
      this.database.exec("COMMIT");
      for (const next of this.commitCallbacks.splice(0)) next();
      return result;
    } catch (error) {
      this.commitCallbacks.length = 0;
      if (this.database.isTransaction) this.database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Runs a function after the current transaction commits, or immediately without one. */
  afterCommit(callback: () => void): void {
    if (this.database.isTransaction) this.commitCallbacks.push(callback);
    else callback();
  }

  /** Deletes all rows except the state of the clock. */
  clear(): void {
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'state' AND name NOT LIKE 'sqlite_%'";
    for (const { name } of this.all(sql)) this.run(`DELETE FROM ${name}`);
    this.run("DELETE FROM state WHERE key <> 'clock'");
  }

  /** Rewrites the file, so that nothing that was deleted or replaced stays in it. */
  compact(): void {
    this.database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  private insertRow(verb: "INSERT" | "INSERT OR REPLACE", table: string, row: Row): number {
    const columns = Object.keys(row);
    const placeholders = columns.map(() => "?").join(", ");
    return this.run(`${verb} INTO ${table} (${columns.join(", ")}) VALUES (${placeholders})`, ...Object.values(row));
  }

  private statement(sql: string): StatementSync {
    const cached = this.statements.get(sql);
    if (cached) return cached;
    const statement = this.database.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}
