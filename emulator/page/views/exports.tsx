import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import type { ExportRow } from "../data/types";
import { formatCount, formatDay } from "../ui/format";
import { List } from "../ui/list";
import { Status } from "../ui/status";
import { Empty, Text, Time } from "../ui/text";
import { BucketSection } from "./bucket";

/** What the list can be limited to. */
const KINDS: Record<string, (row: ExportRow) => boolean> = {
  All: () => true,
  "Not ended": ({ finished_at }) => finished_at === null,
  Ended: ({ finished_at }) => finished_at !== null,
  Schedules: ({ interval_hours }) => interval_hours !== null,
};

/** The newest exports and schedules of all workspaces; first those that have not ended. */
export function Exports({ live }: { live: Live }): JSX.Element {
  const [search, setSearch] = useState("");
  const [kind, setKind] = useState("All");
  const now = emulatedNow(live);
  const words = search.trim().toLowerCase();
  const matches = (row: ExportRow) =>
    KINDS[kind]?.(row) && [projectOf(row), row.destination, row.id].some((text) => text?.toLowerCase().includes(words));
  const rows = live.exports
    .filter(matches)
    .sort((a, b) => Number(a.finished_at !== null) - Number(b.finished_at !== null));
  const hidden = live.totals.exports - live.exports.length;
  return (
    <>
      <h2>Exports</h2>
      <p class="hint">
        A bulk export writes the traces of a period as Parquet files to a bucket: one run per project and day. A
        schedule creates an export for each interval.
      </p>
      {live.exports.length > 1 && (
        <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          <label>
            Show
            <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
              {Object.keys(KINDS).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Project, destination or ID
            <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
          </label>
        </form>
      )}
      {live.exports.length === 0 ? (
        <Empty>No exports yet. A program creates them with the resource BulkExport.</Empty>
      ) : (
        <p class="count">
          {formatCount(rows.length, "export")}, first those that have not ended
          {hidden > 0 && `; ${formatCount(hidden, "older export")} not listed`}
        </p>
      )}
      <List
        label="Exports"
        rows={rows}
        keyOf={({ id }) => id}
        link={({ id }) => linkTo("exports", id)}
        columns="exports"
        headings={["Period", "Status", "Project", "Completed runs", "Created"]}
      >
        {(row) => (
          <>
            <span class="name">{describePeriod(row)}</span>
            <Status status={row.status} />
            <Text>{projectOf(row)}</Text>
            <Progress row={row} />
            <Time at={row.created_at / 1000} now={now} />
          </>
        )}
      </List>
      <BucketSection version={live.lastRequest} />
    </>
  );
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
export function Progress({ row: { runs, completed_runs, interval_hours } }: { row: ExportRow }): JSX.Element {
  if (interval_hours !== null) return <span class="minor">Schedule</span>;
  return (
    <span class="progress">
      <progress max={Math.max(1, runs)} value={completed_runs} aria-label="Completed runs" />
      <span class="minor">{runs === 0 ? "No runs yet" : `${completed_runs} of ${formatCount(runs, "run")}`}</span>
    </span>
  );
}
