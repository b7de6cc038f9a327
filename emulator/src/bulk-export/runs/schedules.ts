import { randomUUID } from "node:crypto";
import type { Context } from "../../runtime/context";
import { durations, limits } from "../../runtime/limits";
import { creationWait } from "../exports/quota";
import { type ExportRecord, exportById, insertExport, updateExport } from "../exports/records";
import { microsPerHour, nowMicros } from "../timestamps";
import { submit } from "./progress";

/** Inserts a schedule; each of its windows becomes an export. */
export function submitSchedule(context: Context, record: ExportRecord): void {
  insertExport(context, record);
  awaitWindow(context, record, 0);
}

export function defineSchedules(context: Context): void {
  const { scheduler, store } = context;
  scheduler.registerHandler("export-spawn", ({ subject }) => {
    const schedule = exportById(store, subject);
    if (schedule?.status === "INTERVAL_SCHEDULED") spawn(context, schedule);
  });
}

/** Returns when the next export is created, in milliseconds since 1970: ten minutes after the end of its window. */
export function nextSpawnAt({ start_time, interval_hours, next_window }: ExportRecord): number {
  const end = start_time + (next_window + 1) * (interval_hours ?? 0) * microsPerHour;
  return Math.ceil(end / 1000) + durations.export.afterWindow;
}

function awaitWindow(context: Context, schedule: ExportRecord, window: number): void {
  const due = nextSpawnAt({ ...schedule, next_window: window });
  wait(context, schedule, Math.max(breathBefore(window), due - context.clock.now()));
}

/** A schedule that starts far in the past would block other requests if it caught up without pauses. */
function breathBefore(window: number): number {
  return window > 0 && window % limits.exports.windowsPerBatch === 0 ? durations.export.catchUpPause : 0;
}

function wait({ scheduler }: Context, { id }: ExportRecord, ms: number): void {
  scheduler.schedule(ms, { kind: "export-spawn", subject: id, owner: id });
}

/**
 * Creates the export of the next window. Over the creation quota, this and all later windows wait (interface.md section
 * 8).
 */
function spawn(context: Context, schedule: ExportRecord): void {
  const delay = creationWait(context, schedule.tenant_id);
  if (delay > 0) {
    wait(context, schedule, delay);
    return;
  }
  const window = schedule.next_window;
  const length = (schedule.interval_hours ?? 0) * microsPerHour;
  const start_time = schedule.start_time + window * length;
  const now = nowMicros(context.clock);
  submit(context, {
    ...schedule,
    id: randomUUID(),
    status: "CREATED",
    source_bulk_export_id: schedule.id,
    source_window: window,
    next_window: 0,
    start_time,
    end_time: start_time + length,
    interval_hours: null,
    created_at: now,
    updated_at: now,
  });
  updateExport(context, schedule.id, { next_window: window + 1 });
  awaitWindow(context, schedule, window + 1);
}
