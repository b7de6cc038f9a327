import type { Context } from "../../runtime/context";
import { durations, limits } from "../../runtime/limits";
import { compileFilter } from "../../tracing/filter/index";
import { type DestinationRecord, destinationById } from "../destinations/records";
import { storedTarget } from "../destinations/target";
import { type ExportRecord, exportById } from "../exports/records";
import { writePartition } from "../parquet/worker-pool";
import { BucketError } from "../s3/client";
import { explainRefusal } from "../s3/probe";
import { nowMicros, showTime } from "../timestamps";
import { keyOf, pathIn } from "./file-layout";
import { type RunRecord, type RunResult, runById, updateRun } from "./records";

/** Told when an attempt has ended, in the transaction that says how. */
export type OnEnd = (context: Context, exportId: string) => void;

/** Begins an attempt of a run. A day without any trace run is over at once: there is no file to write. */
export function beginAttempt(context: Context, record: ExportRecord, run: RunRecord, onEnd: OnEnd): void {
  const fault = context.faults.takeForExportRun(record.id, showTime(run.start_time).slice(0, 10));
  if (!fault && isEmpty(context, record, run)) {
    complete(context, run, NOTHING_WRITTEN);
    return;
  }
  updateRun(context, run.id, { status: "RUNNING", in_flight: true });
  const about = { subject: run.id, owner: record.id };
  context.scheduler.schedule(durations.export.attempt, { kind: "export-attempt-timeout", ...about });
  if (fault?.error !== undefined) fail(context, run.id, fault.error);
  else if (fault) updateRun(context, run.id, { in_flight: false });
  else goOn(context, record, run, onEnd);
}

/** Makes the attempt; also the one that the end of the process cut off. */
export function goOn(context: Context, record: ExportRecord, run: RunRecord, onEnd: OnEnd): void {
  context.backgroundTasks.start(nameOf(run), async (signal) => {
    try {
      const written = await write(context, record, run, signal);
      settle(context, run, (current) => complete(context, current, written), onEnd);
    } catch (error) {
      // Whoever gave it up has said why, or goes on with it when the emulator starts again.
      if (signal.aborted) return;
      settle(context, run, () => fail(context, run.id, explain(error)), onEnd);
    }
  });
}

/** Another attempt after the pause. */
export function retry(context: Context, runId: string, onEnd: OnEnd): void {
  const run = runById(context.store, runId);
  const record = run && exportById(context.store, run.bulk_export_id);
  if (run?.status !== "RUNNING" || !record) return;
  const retry_number = run.retry_number + 1;
  updateRun(context, run.id, { retry_number });
  beginAttempt(context, record, { ...run, retry_number }, onEnd);
  onEnd(context, record.id);
}

/** An attempt that takes too long is given up. */
export function giveUpAttempt(context: Context, runId: string, onEnd: OnEnd): void {
  const run = runById(context.store, runId);
  if (run?.status !== "RUNNING") return;
  context.backgroundTasks.abort(nameOf(run));
  fail(context, runId, `The attempt did not end within ${durations.export.attempt / 3_600_000} hours`);
  onEnd(context, run.bulk_export_id);
}

/** Ends a run from outside, whatever it is doing. */
export function endRun(context: Context, run: RunRecord, change: Pick<RunRecord, "status"> & Partial<RunRecord>): void {
  context.backgroundTasks.abort(nameOf(run));
  context.scheduler.cancel(run.id);
  updateRun(context, run.id, { in_flight: false, finished_at: nowMicros(context.clock), ...change });
}

/** What went wrong with the attempt that a run is at, besides what went wrong before. */
export function withError(run: RunRecord, message: string): Record<string, string> {
  return { ...run.errors, [`retry_${run.retry_number}`]: message };
}

function nameOf(run: RunRecord): string {
  return `export run ${run.id}, attempt ${run.retry_number}`;
}

function isEmpty({ store }: Context, record: ExportRecord, run: RunRecord): boolean {
  const sql = "SELECT 1 FROM runs WHERE session_id = ? AND start_time >= ? AND start_time < ? AND tenant_id = ?";
  return !store.get(`${sql} LIMIT 1`, run.session_id, run.start_time, run.end_time, record.tenant_id);
}

async function write(context: Context, record: ExportRecord, run: RunRecord, signal: AbortSignal) {
  const destination = destinationById(context.store, record.bulk_export_destination_id);
  if (!destination || run.session_id === null) throw new Error("There is nowhere to write to");
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
    key: keyOf(run),
    signal,
  };
  return writePartition(task);
}

/** Writes how an attempt went, unless the run has been ended or tried anew in the meantime. */
function settle(context: Context, run: RunRecord, work: (current: RunRecord) => void, onEnd: OnEnd): void {
  const { store, scheduler } = context;
  store.transaction(() => {
    const current = runById(store, run.id);
    if (!current?.in_flight || current.retry_number !== run.retry_number) return;
    work(current);
    onEnd(context, run.bulk_export_id);
    scheduler.runDue();
  });
}

function complete(context: Context, run: RunRecord, written: Written): void {
  const record = exportById(context.store, run.bulk_export_id);
  const destination = record && destinationById(context.store, record.bulk_export_destination_id);
  context.scheduler.cancel(run.id);
  updateRun(context, run.id, toCompletion(context, run, destination, written));
}

interface Written {
  rowsWritten: number;
  exportedFiles: string[];
}
const NOTHING_WRITTEN: Written = { rowsWritten: 0, exportedFiles: [] };

function toCompletion(context: Context, run: RunRecord, destination: DestinationRecord | undefined, written: Written) {
  const path = (key: string) => (destination ? pathIn(destination, key) : key);
  const result: RunResult = {
    rows_written: written.rowsWritten,
    exported_files: written.exportedFiles.map(path),
    export_path: path(run.prefix),
  };
  return { status: "COMPLETED", in_flight: false, result, finished_at: nowMicros(context.clock) } as const;
}

/**
 * A new run, completed already if its day has no trace run: an export over decades has ten thousand such days, and beginning
 * each of them would keep every other request waiting. Where a fault waits for an attempt, every run begins.
 */
export function completeIfEmpty(
  context: Context,
  record: ExportRecord,
  run: RunRecord,
  destination: DestinationRecord | undefined,
  faultsWait: boolean,
): RunRecord {
  if (faultsWait || !isEmpty(context, record, run)) return run;
  return { ...run, ...toCompletion(context, run, destination, NOTHING_WRITTEN) };
}

/** A failed attempt: another one after a pause, unless it was the last (interface-notes.md section 3). */
function fail(context: Context, runId: string, message: string): void {
  const run = runById(context.store, runId);
  if (!run) return;
  const errors = withError(run, message);
  context.scheduler.cancel(run.id);
  if (run.retry_number >= limits.exports.retries) {
    endRun(context, run, { status: "FAILED", errors });
    return;
  }
  updateRun(context, run.id, { in_flight: false, errors });
  const about = { subject: run.id, owner: run.bulk_export_id };
  context.scheduler.schedule(durations.export.retry, { kind: "export-retry", ...about });
}

function explain(error: unknown): string {
  if (error instanceof BucketError) return explainRefusal(error);
  console.error(error);
  return error instanceof Error ? error.message : String(error);
}
