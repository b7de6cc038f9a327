import type { DestinationRecord } from "../destinations/records";
import type { ExportRecord } from "../exports/records";
import { MICROS_PER_DAY, type Micros } from "../timestamps";
import type { RunRecord } from "./records";

/** The part of a time range within one UTC day. */
export interface Day {
  from: Micros;
  to: Micros;
}

/** Splits the range [from, to) into days. */
export function daysOf(from: Micros, to: Micros): Day[] {
  const days: Day[] = [];
  for (let start = from; start < to; ) {
    const next = (Math.floor(start / MICROS_PER_DAY) + 1) * MICROS_PER_DAY;
    days.push({ from: start, to: Math.min(next, to) });
    start = next;
  }
  return days;
}

/** Returns the folder of a day and project, without the bucket: API `2C.Output layout`. */
export function runPrefix({ config }: DestinationRecord, record: ExportRecord, sessionId: string, day: Day): string {
  const [year, month, date] = new Date(Math.floor(day.from / 1000)).toISOString().slice(0, 10).split("-");
  return [
    ...config.prefix.split("/").filter(Boolean),
    ...[`export_id=${record.id}`, `tenant_id=${record.tenant_id}`, `session_id=${sessionId}`],
    ...["runs", `year=${year}`, `month=${month}`, `day=${date}`],
  ].join("/");
}

/**
 * Returns the key of a run's file. It is the same for each attempt, so that a retry replaces the file of a lost one.
 */
export function objectKey({ prefix, id }: RunRecord): string {
  return `${prefix}/${id}.parquet`;
}

/**
 * Returns a path as results show it: with the bucket, unless the endpoint URL contains it (API
 * `2C.Output layout:bucket`).
 */
export function resultPath({ config }: DestinationRecord, key: string): string {
  return config.include_bucket_in_prefix === false ? key : `${config.bucket_name}/${key}`;
}
