/** The tables of a part of the emulator, and the columns that a file of an earlier version lacks. */
export interface Tables {
  /** Statements of SQL, each with IF NOT EXISTS. */
  schema: string;
  /** Column to type, by table. */
  added?: Record<string, Record<string, string>>;
}

/** What the runtime itself keeps: the clock, due jobs, faults and the request log. */
export const runtimeTables: Tables = {
  schema: `
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
`,
};
