import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { columns, type Column as Field, newerColumns } from "../../tracing/columns";
import { codecs } from "./codecs";
import { ParquetFile } from "./file";
import type { PartitionResult, PartitionTask } from "./job";
import { Upload } from "./upload";

/** Rows read in one turn, a few milliseconds; then uploads and a cancellation are processed. */
const rowsPerTurn = 1000;

/**
 * Writes the runs of a partition, sorted by `start_time` and `id`, to the bucket as one file. On failure nothing is
 * left there.
 * @throws BucketError, or the reason of the signal.
 */
export async function exportPartition(task: PartitionTask): Promise<PartitionResult> {
  const database = new DatabaseSync(task.database, { readOnly: true, timeout: 10_000 });
  const upload = new Upload(task);
  try {
    const rowsWritten = await writeRows(rowsOf(database, task), task, upload);
    return { rowsWritten, exportedFiles: rowsWritten > 0 ? [task.key] : [] };
  } catch (error) {
    await upload.abort();
    throw error;
  } finally {
    database.close();
  }
}

type Row = readonly SQLOutputValue[];

async function writeRows(rows: Iterable<Row>, task: PartitionTask, upload: Upload): Promise<number> {
  const file = new ParquetFile(fieldsOf(task), codecs[task.compression], (bytes) => upload.write(bytes));
  try {
    let count = 0;
    for (const row of rows) {
      if (file.add(row)) await file.endRowGroup();
      if (++count % rowsPerTurn !== 0) continue;
      await setImmediate();
      task.signal.throwIfAborted();
    }
    if (count === 0) return 0;
    await file.end();
    await upload.complete();
    return count;
  } finally {
    await file.whenSent();
  }
}

function fieldsOf({ fields }: PartitionTask): Field[] {
  return fields ? [...columns, ...newerColumns].filter(({ name }) => fields.includes(name)) : [...columns];
}

/** Returns the SQL expression of a field. */
function expressionOf({ name }: Field): string {
  if (name !== "feedbacks") return `r.${name}`;
  const entry = "json_object('key', key, 'score', score, 'value', json(value))";
  return `(SELECT nullif(json_group_array(${entry}), '[]') FROM feedback WHERE run = r.seq)`;
}

function rowsOf(database: DatabaseSync, task: PartitionTask): Iterable<Row> {
  const { tenantId, sessionId, from, to, filter } = task;
  const statement = database.prepare(`
    SELECT ${fieldsOf(task).map(expressionOf)} FROM runs r
    WHERE r.session_id = ? AND r.tenant_id = ? AND r.start_time >= ? AND r.start_time < ?
      ${filter ? `AND (${filter.sql})` : ""}
    ORDER BY r.start_time, r.id`);
  statement.setReturnArrays(true);
  // Microseconds after the year 2255 exceed the safe integers.
  statement.setReadBigInts(true);
  const values: SQLInputValue[] = [sessionId, tenantId, from, to, ...(filter?.params ?? [])];
  return statement.iterate(...values) as Iterable<unknown> as Iterable<Row>;
}
