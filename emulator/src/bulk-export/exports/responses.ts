import type { Settings } from "../../runtime/options";
import type { RunRecord } from "../runs/records";
import { formatTime, type Micros } from "../timestamps";
import type { ExportRecord } from "./records";
import { formatStatus } from "./status";

const formatOptionalTime = (time: Micros | null) => (time === null ? null : formatTime(time));

/** Returns an export as real servers show it, or the subset in the interface (API `2C.Export job:response`). */
export function exportResponse(settings: Settings, record: ExportRecord): Record<string, unknown> {
  const { source_window: _, next_window: __, ready: ___, ...rest } = record;
  const status = formatStatus(settings, record.status);
  if (settings.interfaceOnly) {
    const source = record.source_bulk_export_id;
    return { id: record.id, status, ...(source !== null && { source_bulk_export_id: source }) };
  }
  return {
    ...rest,
    status,
    start_time: formatTime(record.start_time),
    end_time: formatOptionalTime(record.end_time),
    created_at: formatTime(record.created_at),
    updated_at: formatTime(record.updated_at),
    finished_at: formatOptionalTime(record.finished_at),
  };
}

/** Returns a run as real servers show it: API `2C.Export run`. */
export function runResponse(settings: Settings, run: RunRecord): Record<string, unknown> {
  const { prefix, in_flight: _, result, ...rest } = run;
  const times = { start_time: formatTime(run.start_time), end_time: formatTime(run.end_time) };
  return {
    ...rest,
    ...times,
    status: formatStatus(settings, run.status),
    metadata: { prefix, ...times, result: result && { ...result, latest_cursor: null } },
    created_at: formatTime(run.created_at),
    updated_at: formatTime(run.updated_at),
    finished_at: formatOptionalTime(run.finished_at),
  };
}
