import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import type { Json } from "@duckdb/node-api";
import { type PartitionResult, type PartitionTask, writePartition } from "../../../src/bulk-export/parquet/worker-pool";
import { Store } from "../../../src/runtime/storage/store";
import { tables as tracing } from "../../../src/tracing/tables";
import { queryParquet } from "../bucket/client";
import { useBucket } from "../bucket/server";

const tenantId = "11111111-1111-4111-8111-111111111111";
export const sessionId = "22222222-2222-4222-8222-222222222222";

/** 2026-01-01T00:00:00Z in microseconds. */
export const newYearMicros = Date.UTC(2026, 0, 1) * 1000;

/** Columns as SQLite stores them. */
export type RunRow = Record<string, SQLInputValue>;

/** A run with only the required fields. Its number determines its ID and its time, one second apart. */
export function runRow(number: number, change: RunRow = {}): RunRow {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const hierarchy = { id, tenant_id: tenantId, session_id: sessionId, trace_id: id, dotted_order: `0Z${id}` };
  const rest = { name: "run", run_type: "chain", status: "success", is_root: 1, parent_run_ids: "[]" };
  return { ...hierarchy, ...rest, start_time: newYearMicros + number * 1e6, ...change };
}

/** A store of runs and a bucket to export them to, for all tests of a file. */
export class ParquetFixture {
  private readonly folder = mkdtempSync(join(tmpdir(), "parquet-test-"));
  readonly store = new Store(this.folder, [tracing]);
  readonly bucket = useBucket();

  constructor() {
    beforeAll(() => this.bucket.send("PUT", "/exports"));
    afterAll(() => {
      this.store.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  load(runs: readonly RunRow[]): void {
    this.store.transaction(() => {
      this.store.run("DELETE FROM runs");
      for (const run of runs) this.store.upsert("runs", run);
    });
  }

  /** Loads runs 0 to `count - 1`, whose inputs are `bytes` long and hardly compressible. */
  loadMany(count: number, bytes: number): void {
    this.load([]);
    const run = runRow(0);
    const change: RunRow = {
      id: "printf('00000000-0000-4000-8000-%012d', value)",
      start_time: `${newYearMicros} + value * 1000`,
      inputs: `'"' || hex(randomblob(${bytes / 2})) || '"'`,
    };
    const names = [...new Set([...Object.keys(run), ...Object.keys(change)])];
    const values = names.map((name) => change[name] ?? `'${run[name]}'`);
    this.store.run(
      `WITH RECURSIVE numbers (value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM numbers WHERE value < ${count - 1})
      INSERT INTO runs (${names}) SELECT ${values} FROM numbers`,
    );
  }

  /** Exports everything to the key `runs.parquet`, unless `change` differs. */
  export(change: Partial<PartitionTask> = {}): Promise<PartitionResult> {
    return writePartition({
      database: this.store.path,
      tenantId,
      sessionId,
      from: -(2 ** 62),
      to: 2 ** 62,
      fields: undefined,
      compression: "zstandard",
      destination: this.bucket.target(),
      key: "runs.parquet",
      signal: new AbortController().signal,
      ...change,
    });
  }

  /** Queries the file with DuckDB; `{}` in the SQL represents it. */
  async read(sql = "SELECT * FROM {}", key = "runs.parquet"): Promise<Record<string, Json>[]> {
    const { status, bytes } = await this.bucket.send("GET", `/exports/${key}`);
    expect(status).toBe(200);
    const file = join(this.folder, "read.parquet");
    writeFileSync(file, bytes);
    return queryParquet([file], sql);
  }

  /** Reads the metadata of the file with DuckDB: "file", "schema" or "" (row groups and columns). */
  async metadata(part: "file" | "schema" | "", sql = "SELECT * FROM {}"): Promise<Record<string, Json>[]> {
    await this.read("SELECT 1 FROM {} LIMIT 1");
    const name = { file: "file_metadata", schema: "schema", "": "metadata" }[part];
    return queryParquet([], sql.replace("{}", `parquet_${name}('${join(this.folder, "read.parquet")}')`));
  }
}
