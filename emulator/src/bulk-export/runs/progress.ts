import { randomUUID } from "node:crypto";
import type { Context } from "../../runtime/context";
import { durations, limits } from "../../runtime/limits";
import { destinationById } from "../destinations/records";
import { hasQuotas } from "../exports/quota";
import { countExports, type ExportRecord, exportById, insertExport, nextReady, updateExport } from "../exports/records";
import type { ExportStatus } from "../exports/status";
import { nowMicros } from "../timestamps";
import {
  completeIfEmpty,
  endRun,
  executeAttempt,
  startAttempt,
  startRetry,
  timeOutAttempt,
  withError,
} from "./attempts";
import { daysOf, runPrefix } from "./file-layout";
import { countRuns, insertRun, type RunRecord, runsInFlight, unfinishedRuns, waitingRuns } from "./records";

/** Inserts an export that is not a schedule; a job starts it. */
export function insertAndSchedule(context: Context, record: ExportRecord): void {
  insertExport(context, record);
  const jobKey = { subject: record.id, owner: record.id };
  context.scheduler.schedule(durations.export.created, { kind: "export-ready", ...jobKey });
}

/** Registers the job handlers of exports. */
export function registerExportJobs(context: Context): void {
  const { scheduler, store } = context;
  scheduler.registerHandler("export-ready", ({ subject }) => {
    const record = exportById(store, subject);
    if (record?.status !== "CREATED") return;
    updateExport(context, subject, { ready: true });
    startWaitingExports(context, record.tenant_id);
  });
  scheduler.registerHandler("export-retry", ({ subject }) => startRetry(context, subject, continueExport));
  scheduler.registerHandler("export-attempt-timeout", ({ subject }) =>
    timeOutAttempt(context, subject, continueExport),
  );
  scheduler.registerHandler("export-timeout", ({ subject }) => {
    const hours = durations.export.runtime / 3_600_000;
    endExport(context, subject, "TIMEDOUT", `The export did not finish within ${hours} hours`);
  });
}

/** Resumes the attempts that the end of the last process interrupted. */
export function resumeExports(context: Context): void {
  for (const run of runsInFlight(context.store)) {
    const record = exportById(context.store, run.bulk_export_id);
    if (record) executeAttempt(context, record, run, continueExport);
  }
}

/** Ends an export; its complete files remain. */
export function endExport(context: Context, id: string, status: ExportStatus, error?: string): void {
  const record = exportById(context.store, id);
  if (!record) return;
  finishExport(context, id, status, error);
  startWaitingExports(context, record.tenant_id);
}

function finishExport(context: Context, id: string, status: ExportStatus, error?: string): void {
  context.scheduler.cancelByOwner(id);
  for (const run of unfinishedRuns(context.store, id)) {
    endRun(context, run, { status, ...(error !== undefined && { errors: withError(run, error) }) });
  }
  updateExport(context, id, { status, ready: false, finished_at: nowMicros(context.clock) });
}

/** Starts waiting exports up to the concurrency limit (API `8.Concurrent exports`). */
function startWaitingExports(context: Context, tenantId: string): void {
  while (countExports(context.store, tenantId, "RUNNING") < limits.exports.concurrentExports) {
    const next = nextReady(context.store, tenantId);
    if (!next) return;
    startExport(context, next);
  }
}

function startExport(context: Context, record: ExportRecord): void {
  updateExport(context, record.id, { status: "RUNNING", ready: false });
  context.scheduler.schedule(durations.export.runtime, {
    kind: "export-timeout",
    subject: record.id,
    owner: record.id,
  });
  const sessions = record.session_id === null ? experimentsOf(context, record.tenant_id) : [record.session_id];
  const { experiments } = limits.exports;
  if (record.session_id === null && hasQuotas(context) && sessions.length > experiments) {
    const reason = `The workspace has ${sessions.length} experiments; all_experiments exports at most ${experiments}`;
    insertRun(context.store, newRun(context, record));
    finishExport(context, record.id, "FAILED", reason);
    return;
  }
  const days = daysOf(record.start_time, record.end_time ?? record.start_time);
  const destination = destinationById(context.store, record.bulk_export_destination_id);
  // While a fault is pending for attempts, every run is started.
  const startsAll = context.faults.hasExportRunFaults();
  for (const session of sessions) {
    for (const day of days) {
      const prefix = destination ? runPrefix(destination, record, session, day) : "";
      const run = { ...newRun(context, record), session_id: session, start_time: day.from, end_time: day.to, prefix };
      insertRun(context.store, startsAll ? run : completeIfEmpty(context, record, run, destination));
    }
  }
  startRuns(context, record.id);
}

/** Returns the projects that are experiments now, not at submission (API `4C.4`). */
function experimentsOf({ store }: Context, tenantId: string): string[] {
  const sql =
    "SELECT id FROM projects WHERE tenant_id = ? AND reference_dataset_id IS NOT NULL ORDER BY start_time, id";
  return store.all(sql, tenantId).map((row) => String(row.id));
}

/** Returns a run of the whole export without a project. */
function newRun(context: Context, record: ExportRecord): RunRecord {
  const now = nowMicros(context.clock);
  const end_time = record.end_time ?? record.start_time;
  return {
    id: randomUUID(),
    bulk_export_id: record.id,
    session_id: null,
    start_time: record.start_time,
    end_time,
    prefix: "",
    status: "CREATED",
    retry_number: 0,
    in_flight: false,
    errors: null,
    result: null,
    created_at: now,
    updated_at: now,
    finished_at: null,
  };
}

/** Continues an export after an attempt, and starts others once it has ended. */
function continueExport(context: Context, id: string): void {
  const record = exportById(context.store, id);
  if (record?.status !== "RUNNING") return;
  startRuns(context, id);
  startWaitingExports(context, record.tenant_id);
}

/** Starts runs up to the concurrency limit, and ends the export after the last one. */
function startRuns(context: Context, id: string): void {
  const { store } = context;
  for (;;) {
    const record = exportById(store, id);
    const availableSlots = limits.exports.concurrentRuns - countRuns(store, id, "RUNNING");
    const waiting = record && availableSlots > 0 ? waitingRuns(store, id, availableSlots) : [];
    if (!record || waiting.length === 0) break;
    for (const run of waiting) startAttempt(context, record, run, continueExport);
  }
  if (countRuns(store, id, "RUNNING") > 0) return;
  finishExport(context, id, countRuns(store, id, "FAILED") > 0 ? "FAILED" : "COMPLETED");
}
