import type { SQLInputValue } from "node:sqlite";
import type { Store } from "../runtime/storage/store";
import { columns } from "./columns";
import { type Lineage, type RunTarget, toRunRow, type UncheckedRun } from "./read-run";
import { RunError } from "./run-error";

const names = columns.map(({ name }) => name);
const insertRunSql = `INSERT INTO runs (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
const insertFeedbackSql = "INSERT INTO feedback (run, key, score, value) VALUES (?, ?, ?, ?)";
const findLineageSql = "SELECT trace_id, dotted_order, parent_run_ids FROM runs WHERE id = ? AND tenant_id = ?";

/**
 * Adds trace runs to a project in one transaction. Children may omit their position in the trace if their parent is
 * stored or comes before them. @throws RunError with the index of the invalid run.
 */
export function insertRuns(store: Store, tenantId: string, sessionId: string, runs: readonly UncheckedRun[]): void {
  const lineageOf = (id: string) => store.get(findLineageSql, id, tenantId) as Lineage | undefined;
  const target: RunTarget = { tenantId, sessionId, lineageOf };
  store.transaction(() => {
    for (const [index, run] of runs.entries()) {
      try {
        insertRun(store, run, target);
      } catch (error) {
        if (error instanceof RunError) error.index = index;
        throw error;
      }
    }
  });
}

function insertRun(store: Store, run: UncheckedRun, target: RunTarget): void {
  const { row, feedback } = toRunRow(run, target);
  const values = names.map((name): SQLInputValue => row[name] ?? null);
  const seq = orExplainDuplicate(() => store.run(insertRunSql, ...values), String(row.id));
  for (const { key, score, value } of feedback) store.run(insertFeedbackSql, seq, key, score, value);
}

function orExplainDuplicate<T>(insert: () => T, id: string): T {
  try {
    return insert();
  } catch (error) {
    if (!String(error).includes("UNIQUE constraint failed: runs.id")) throw error;
    throw new RunError(`id: run ${id} already exists`);
  }
}
