import type { ExportRow } from "../../data/types";
import { formatCount, formatDay } from "../../ui/format";
import { Status, toneOf } from "../../ui/status";
import { Ago, Text } from "../../ui/text";
import type { Kind } from "./kind";

export const exports: Kind<"exports"> = {
  name: "exports",
  hint: `A bulk export writes the traces of a period as Parquet files to a bucket: one run per project and day. A
    schedule creates an export for each interval.`,
  empty: "No exports yet. A program creates them with the resource BulkExport.",
  searches: "Project, destination or ID",
  textsOf: (row) => [projectOf(row), row.destination, row.id],
  states: { running: "active", failed: "failed", schedules: "done", completed: "done", ended: "idle" },
  stateOf,
  // A schedule changes nothing for most of the time, and is what creates the others.
  changedAt: (row) =>
    stateOf(row) === "schedules"
      ? Number.MAX_SAFE_INTEGER
      : Math.max(row.created_at, row.finished_at ?? 0, row.runs_updated_at ?? 0),
  headings: ["Period", "Status", "Project", "Completed runs", "Created"],
  columns: "minmax(0, 2fr) 190px minmax(0, 1.4fr) minmax(0, 1.8fr) 110px",
  cells: (row) => (
    <>
      <span class="name">{describePeriod(row)}</span>
      <Status status={row.status} />
      <Text class="second">{projectOf(row)}</Text>
      <Progress row={row} />
      <Ago at={row.created_at / 1000} />
    </>
  ),
};

function stateOf({ interval_hours, finished_at, status }: ExportRow): string {
  if (interval_hours !== null) return finished_at === null ? "schedules" : "ended";
  if (finished_at === null) return "running";
  return { done: "completed", failed: "failed" }[toneOf(status) as string] ?? "ended";
}

/** Returns the name of the project that is exported, which is that of its deployment. */
export function projectOf({ project, all_experiments }: ExportRow): string {
  return project ?? (all_experiments ? "All experiments" : "Deleted project");
}

/** Returns the exported period, or how often a schedule exports. */
export function describePeriod({ interval_hours, start_time, end_time }: ExportRow): string {
  if (interval_hours !== null)
    return `Every ${formatCount(interval_hours, "hour")} from ${formatDay(start_time / 1000)}`;
  return `${formatDay(start_time / 1000)} to ${end_time === null ? "now" : formatDay(end_time / 1000)}`;
}

/** How many runs are complete, also as a bar. A schedule has no runs of its own. */
export function Progress({ row: { runs, completed_runs, interval_hours } }: { row: ExportRow }) {
  if (interval_hours !== null) return <span class="minor">Schedule</span>;
  return (
    <span class="progress">
      <progress max={Math.max(1, runs)} value={completed_runs} aria-label="Completed runs" />
      <span class="minor">{runs === 0 ? "No runs yet" : `${completed_runs} of ${formatCount(runs, "run")}`}</span>
    </span>
  );
}
