import type { Context } from "../../runtime/context";
import { durations, limits } from "../../runtime/limits";
import { logError } from "../../runtime/text/printable";
import { compileFilter } from "../../tracing/filter/index";
import { type DestinationRecord, destinationById } from "../destinations/records";
import { storedTarget } from "../destinations/target";
import { type ExportRecord, exportById } from "../exports/records";
import { writePartition } from "../parquet/worker-pool";
import { BucketError } from "../s3/client";
import { explainBucketError } from "../s3/probe";
import { formatTime, nowMicros } from "../timestamps";
import { objectKey, resultPath } from "./file-layout";
import { type RunRecord, type RunResult, runById, updateRun } from "./records";

/** Called when an attempt has ended, inside the transaction that stores its outcome. */
export type OnEnd = (context: Context, exportId: string) => void;

/** Starts an attempt of a run. A day without trace runs completes immediately, because there is no file to write. */
export function startAttempt(context: Context, record: ExportRecord, run: RunRecord, onEnd: OnEnd): void {
  const fault = context.faults.takeForExportRun(record.id, formatTime(run.start_time).slice(0, 10));
  if (!fault && isEmpty(context, record, run)) {
    complete(context, run, NOTHING_WRITTEN);
    return;
  }
  updateRun(context, run.id, { status: "RUNNING", in_flight: true });
  const jobKey = { subject: run.id, owner: record.id };
  context.scheduler.schedule(durations.export.attempt, { kind: "export-attempt-timeout", ...jobKey });
  if (fault?.error !== undefined) storeFailure(context, run.id, fault.error);
  else if (fault) updateRun(context, run.id, { in_flight: false });
  else executeAttempt(context, record, run, onEnd);
}

/** Executes an attempt, including one that the end of the process interrupted. */
export function executeAttempt(context: Context, record: ExportRecord, run: RunRecord, onEnd: OnEnd): void {
  context.backgroundTasks.start(taskName(run), async (signal) => {
    try {
      const result = await write(context, record, run, signal);
      storeOutcome(context, run, (current) => complete(context, current, result), onEnd);
    } catch (error) {
      // The code that aborted it has stored the reason, or the next start resumes it.
      if (signal.aborted) return;
      storeOutcome(context, run, () => storeFailure(context, run.id, errorMessage(error)), onEnd);
    }
  });
}

/** Starts another attempt after the pause. */
export function startRetry(context: Context, runId: string, onEnd: OnEnd): void {
  const run = runById(context.store, runId);
  const record = run && exportById(context.store, run.bulk_export_id);
  if (run?.status !== "RUNNING" || !record) return;
  const retry_number = run.retry_number + 1;
  updateRun(context, run.id, { retry_number });
  startAttempt(context, record, { ...run, retry_number }, onEnd);
  onEnd(context, record.id);
}

/** Aborts an attempt that exceeds its timeout. */
export function timeOutAttempt(context: Context, runId: string, onEnd: OnEnd): void {
  const run = runById(context.store, runId);
  if (run?.status !== "RUNNING") return;
  context.backgroundTasks.abort(taskName(run));
  storeFailure(context, runId, `The attempt did not finish within ${durations.export.attempt / 3_600_000} hours`);
  onEnd(context, run.bulk_export_id);
}

/** Ends a run regardless of its state. */
export function endRun(context: Context, run: RunRecord, change: Pick<RunRecord, "status"> & Partial<RunRecord>): void {
  context.backgroundTasks.abort(taskName(run));
  context.scheduler.cancel(run.id);
  updateRun(context, run.id, { in_flight: false, finished_at: nowMicros(context.clock), ...change });
}

/** Returns the errors of a run with the error of its current attempt. */
export function withError(run: RunRecord, message: string): Record<string, string> {
  return { ...run.errors, [`retry_${run.retry_number}`]: message };
}

function taskName(run: RunRecord): string {
  return `export run ${run.id}, attempt ${run.retry_number}`;
}

function isEmpty({ store }: Context, record: ExportRecord, run: RunRecord): boolean {
  const sql = "SELECT 1 FROM runs WHERE session_id = ? AND start_time >= ? AND start_time < ? AND tenant_id = ?";
  return !store.get(`${sql} LIMIT 1`, run.session_id, run.start_time, run.end_time, record.tenant_id);
}

async function write(context: Context, record: ExportRecord, run: RunRecord, signal: AbortSignal) {
  const destination = destinationById(context.store, record.bulk_export_destination_id);
  if (!destination || run.session_id === null) throw new Error("The destination no longer exists");
  const task = {
    database: context.store.path,
    tenantId: record.tenant_id,
    sessionId: run.session_id,
    from: run.start_time,
    to: run.end_time,
    compression: record.compression,
    filter: record.filter === null ? undefined : compileFilter(record.filter),
    fields: record.export_fields ?? undefined,
    destination: storedTarget(context, destination),
    key: objectKey(run),
    signal,
  };
  return writePartition(task);
}

/** Stores the outcome of an attempt, unless the run has ended or been retried in the meantime. */
function storeOutcome(context: Context, run: RunRecord, apply: (current: RunRecord) => void, onEnd: OnEnd): void {
  const { store, scheduler } = context;
  store.transaction(() => {
    const current = runById(store, run.id);
    if (!current?.in_flight || current.retry_number !== run.retry_number) return;
    apply(current);
    onEnd(context, run.bulk_export_id);
    scheduler.runDue();
  });
}

function complete(context: Context, run: RunRecord, result: WriteResult): void {
  const record = exportById(context.store, run.bulk_export_id);
  const destination = record && destinationById(context.store, record.bulk_export_destination_id);
  context.scheduler.cancel(run.id);
  updateRun(context, run.id, completedFields(context, run, destination, result));
}

interface WriteResult {
  rowsWritten: number;
  exportedFiles: string[];
}
const NOTHING_WRITTEN: WriteResult = { rowsWritten: 0, exportedFiles: [] };

function completedFields(
  context: Context,
  run: RunRecord,
  destination: DestinationRecord | undefined,
  written: WriteResult,
) {
  const path = (key: string) => (destination ? resultPath(destination, key) : key);
  const result: RunResult = {
    rows_written: written.rowsWritten,
    exported_files: written.exportedFiles.map(path),
    export_path: path(run.prefix),
  };
  return { status: "COMPLETED", in_flight: false, result, finished_at: nowMicros(context.clock) } as const;
}

/**
 * Completes a new run whose day has no trace runs: an export over decades has ten thousand such days, and starting each
 * of them would block all other requests.
 */
export function completeIfEmpty(
  context: Context,
  record: ExportRecord,
  run: RunRecord,
  destination: DestinationRecord | undefined,
): RunRecord {
  if (!isEmpty(context, record, run)) return run;
  return { ...run, ...completedFields(context, run, destination, NOTHING_WRITTEN) };
}

/** Stores a failed attempt and schedules another one, unless it was the last (API `2C.Export run:attempts`). */
function storeFailure(context: Context, runId: string, message: string): void {
  const run = runById(context.store, runId);
  if (!run) return;
  const errors = withError(run, message);
  context.scheduler.cancel(run.id);
  if (run.retry_number >= limits.exports.retries) {
    endRun(context, run, { status: "FAILED", errors });
    return;
  }
  updateRun(context, run.id, { in_flight: false, errors });
  const jobKey = { subject: run.id, owner: run.bulk_export_id };
  context.scheduler.schedule(durations.export.retry, { kind: "export-retry", ...jobKey });
}

function errorMessage(error: unknown): string {
  if (error instanceof BucketError) return explainBucketError(error);
  logError(error);
  return error instanceof Error ? error.message : String(error);
}
