import type { Settings } from "../../runtime/options";
import type { RunRecord } from "../runs/records";
import { type Micros, showTime } from "../timestamps";
import type { ExportRecord } from "./records";
import { showStatus } from "./status";

const shown = (time: Micros | null) => (time === null ? null : showTime(time));

/** Returns an export as live servers show it, or the subset in the interface (interface.md section 2 C). */
export function exportAnswer(settings: Settings, record: ExportRecord): Record<string, unknown> {
  const { source_window: _, next_window: __, ready: ___, ...rest } = record;
  const status = showStatus(settings, record.status);
  if (settings.interfaceOnly) {
    const source = record.source_bulk_export_id;
    return { id: record.id, status, ...(source !== null && { source_bulk_export_id: source }) };
  }
  return {
    ...rest,
    status,
    start_time: showTime(record.start_time),
    end_time: shown(record.end_time),
    created_at: showTime(record.created_at),
    updated_at: showTime(record.updated_at),
    finished_at: shown(record.finished_at),
  };
}

/** Returns a run as live servers show it: interface-notes.md section 3. */
export function runAnswer(settings: Settings, run: RunRecord): Record<string, unknown> {
  const { prefix, in_flight: _, result, ...rest } = run;
  const times = { start_time: showTime(run.start_time), end_time: showTime(run.end_time) };
  return {
    ...rest,
    ...times,
    status: showStatus(settings, run.status),
    metadata: { prefix, ...times, result: result && { ...result, latest_cursor: null } },
    created_at: showTime(run.created_at),
    updated_at: showTime(run.updated_at),
    finished_at: shown(run.finished_at),
  };
}
