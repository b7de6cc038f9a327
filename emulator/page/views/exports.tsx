import type { JSX } from "preact";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import type { ExportRow } from "../data/types";
import { formatCount, formatDay } from "../ui/format";
import { List } from "../ui/list";
import { Status } from "../ui/status";
import { Empty, Text, Time } from "../ui/text";

/** The newest exports and schedules of all workspaces. */
export function Exports({ live }: { live: Live }): JSX.Element {
  const now = emulatedNow(live);
  const hidden = live.totals.exports - live.exports.length;
  return (
    <>
      <h2>Exports</h2>
      <p class="hint">
        A bulk export writes the traces of a period as Parquet files to a bucket: one run per project and day. A
        schedule creates an export for each interval.
      </p>
      {live.exports.length === 0 ? (
        <Empty>No exports yet. A program creates them with the resource BulkExport.</Empty>
      ) : (
        <p class="count">
          {formatCount(live.exports.length, "export")}
          {hidden > 0 && `, the newest; ${formatCount(hidden, "older export")} not listed`}
        </p>
      )}
      <List
        label="Exports"
        rows={live.exports}
        keyOf={({ id }) => id}
        link={({ id }) => linkTo("exports", id)}
        columns="exports"
        headings={["Period", "Status", "Completed runs", "Destination", "Created"]}
      >
        {(row) => (
          <>
            <span class="name">{describePeriod(row)}</span>
            <Status status={row.status} />
            <Progress row={row} />
            <Text class="minor">{row.destination ?? "Deleted destination"}</Text>
            <Time at={row.created_at / 1000} now={now} />
          </>
        )}
      </List>
    </>
  );
}

/** Returns the exported period, or how often a schedule exports. */
export function describePeriod({ interval_hours, start_time, end_time }: ExportRow): string {
  if (interval_hours !== null)
    return `Every ${formatCount(interval_hours, "hour")} from ${formatDay(start_time / 1000)}`;
  return `${formatDay(start_time / 1000)} to ${end_time === null ? "now" : formatDay(end_time / 1000)}`;
}

/** How many runs are complete, also as a bar. A schedule has no runs of its own. */
export function Progress({ row: { runs, completed_runs, interval_hours } }: { row: ExportRow }): JSX.Element {
  if (interval_hours !== null) return <span class="minor">Schedule</span>;
  return (
    <span class="progress">
      <progress max={Math.max(1, runs)} value={completed_runs} aria-label="Completed runs" />
      <span class="minor">{runs === 0 ? "No runs yet" : `${completed_runs} of ${formatCount(runs, "run")}`}</span>
    </span>
  );
}
