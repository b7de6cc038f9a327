import type { DestinationRecord } from "../destinations/records";
import type { ExportRecord } from "../exports/records";
import { type Micros, microsPerDay } from "../timestamps";
import type { RunRecord } from "./records";

/** Part of a time range that lies in one UTC day. */
export interface Day {
  from: Micros;
  to: Micros;
}

/** The range [from, to), day by day. */
export function daysOf(from: Micros, to: Micros): Day[] {
  const days: Day[] = [];
  for (let start = from; start < to; ) {
    const next = (Math.floor(start / microsPerDay) + 1) * microsPerDay;
    days.push({ from: start, to: Math.min(next, to) });
    start = next;
  }
  return days;
}

/** Where the file of a day and project is, without the bucket: interface.md section 2 C, "Output layout". */
export function prefixOf({ config }: DestinationRecord, record: ExportRecord, sessionId: string, day: Day): string {
  const [year, month, date] = new Date(Math.floor(day.from / 1000)).toISOString().slice(0, 10).split("-");
  return [
    ...config.prefix.split("/").filter(Boolean),
    ...[`export_id=${record.id}`, `tenant_id=${record.tenant_id}`, `session_id=${sessionId}`],
    ...["runs", `year=${year}`, `month=${month}`, `day=${date}`],
  ].join("/");
}

/** The same name for every attempt: a retry replaces what a lost one may have left. */
export function keyOf({ prefix, id }: RunRecord): string {
  return `${prefix}/${id}.parquet`;
}

/** A path as results tell it: with the bucket, unless that stands in the endpoint's url (interface-notes.md section 3). */
export function pathIn({ config }: DestinationRecord, key: string): string {
  return config.include_bucket_in_prefix === false ? key : `${config.bucket_name}/${key}`;
}
