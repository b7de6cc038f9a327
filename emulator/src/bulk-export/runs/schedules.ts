import { randomUUID } from "node:crypto";
import type { Context } from "../../runtime/context";
import { durations, limits } from "../../runtime/limits";
import { msUntilCreationAllowed } from "../exports/quota";
import { type ExportRecord, exportById, insertExport, updateExport } from "../exports/records";
import { MICROS_PER_HOUR, nowMicros } from "../timestamps";
import { insertAndSchedule } from "./progress";

/** Inserts a schedule; each of its windows becomes an export. */
export function insertSchedule(context: Context, record: ExportRecord): void {
  insertExport(context, record);
  scheduleWindow(context, record, 0);
}

export function registerScheduleJobs(context: Context): void {
  const { scheduler, store } = context;
  scheduler.registerHandler("export-spawn", ({ subject }) => {
    const schedule = exportById(store, subject);
    if (schedule?.status === "INTERVAL_SCHEDULED") spawnExport(context, schedule);
  });
}

/** Returns when the next export is created, in milliseconds since 1970: ten minutes after the end of its window. */
export function nextSpawnAt({ start_time, interval_hours, next_window }: ExportRecord): number {
  const end = start_time + (next_window + 1) * (interval_hours ?? 0) * MICROS_PER_HOUR;
  return Math.ceil(end / 1000) + durations.export.afterWindow;
}

function scheduleWindow(context: Context, schedule: ExportRecord, window: number): void {
  const due = nextSpawnAt({ ...schedule, next_window: window });
  scheduleSpawn(context, schedule, Math.max(pauseBefore(window), due - context.clock.now()));
}

/** A schedule that starts far in the past would block other requests if it caught up without pauses. */
function pauseBefore(window: number): number {
  return window > 0 && window % limits.exports.windowsPerBatch === 0 ? durations.export.catchUpPause : 0;
}

function scheduleSpawn({ scheduler }: Context, { id }: ExportRecord, ms: number): void {
  scheduler.schedule(ms, { kind: "export-spawn", subject: id, owner: id });
}

/** Creates the export of the next window. Over the creation quota, this and all later windows wait (API `8`). */
function spawnExport(context: Context, schedule: ExportRecord): void {
  const delayMs = msUntilCreationAllowed(context, schedule.tenant_id);
  if (delayMs > 0) {
    scheduleSpawn(context, schedule, delayMs);
    return;
  }
  const window = schedule.next_window;
  const length = (schedule.interval_hours ?? 0) * MICROS_PER_HOUR;
  const start_time = schedule.start_time + window * length;
  const now = nowMicros(context.clock);
  insertAndSchedule(context, {
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
  scheduleWindow(context, schedule, window + 1);
}
