import { useAdmin } from "../data/api";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import type { Export, ExportRun } from "../data/types";
import { formatCount, formatDay, visible } from "../ui/format";
import { Heading } from "../ui/heading";
import { Status } from "../ui/status";
import { Breadcrumb, Code, Empty, Problem, Properties, Text, Time } from "../ui/text";
import { describePeriod, Progress, projectOf } from "./lists/exports";
import { ResourceRequests } from "./requests/of-resource";

/** One export: its progress, and what each of its runs wrote or why it failed. */
export function ExportView({ live, id }: { live: Live; id: string }) {
  const row = live.exports.find((candidate) => candidate.id === id);
  const { data, error } = useAdmin<Export>(row && `/exports/${encodeURIComponent(id)}`, row && JSON.stringify(row));
  if (!row)
    return (
      <Empty>
        This export does not exist, or is older than those listed. <a href={linkTo("exports")}>All exports</a>
      </Empty>
    );
  if (error) return <Problem>{error}</Problem>;
  const now = emulatedNow(live);
  const created = live.exports.filter(({ source_bulk_export_id }) => source_bulk_export_id === id);
  return (
    <>
      <Breadcrumb kind="exports" />
      <Heading title={`${describePeriod(row)}: ${row.status}`}>{describePeriod(row)}</Heading>
      <Properties
        of={{
          Status: <Status status={row.status} />,
          Progress: <Progress row={row} />,
          Project: <Text>{projectOf(row)}</Text>,
          Destination: <Text>{`${row.destination ?? "deleted"} (bucket ${row.bucket ?? "unknown"})`}</Text>,
          Filter: data?.filter && <Code>{data.filter}</Code>,
          "Next export": data?.next_spawn_at && <Time at={data.next_spawn_at} now={now} />,
          ID: <Code>{id}</Code>,
        }}
      />
      {row.interval_hours === null ? <Runs runs={data?.runs ?? []} /> : <Created rows={created} />}
      <ResourceRequests live={live} id={id} />
    </>
  );
}

function Created({ rows }: { rows: Live["exports"] }) {
  return (
    <section aria-labelledby="created">
      <h3 id="created">Exports of this schedule</h3>
      {rows.length === 0 && (
        <Empty>None yet. The first one follows 10 minutes after the end of the first interval.</Empty>
      )}
      <ul class="plain">
        {rows.map((row) => (
          <li key={row.id}>
            <a href={linkTo("exports", row.id)}>{describePeriod(row)}</a> <Status status={row.status} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Runs({ runs }: { runs: ExportRun[] }) {
  return (
    <section aria-labelledby="runs">
      <h3 id="runs">Runs</h3>
      {runs.length === 0 && <Empty>No runs yet. They appear when the export starts.</Empty>}
      <ol class="runs">
        {runs.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ol>
    </section>
  );
}

function Run({ run: { start_time, status, metadata, errors, retry_number } }: { run: ExportRun }) {
  const { result } = metadata;
  const error = Object.values(errors ?? {}).at(-1);
  return (
    <li class="card">
      <div class="heading">
        <h4>{formatDay(start_time)}</h4>
        <Status status={status} />
        {retry_number > 0 && <span class="minor">{formatCount(retry_number + 1, "attempt")}</span>}
        {result && <span class="minor">{formatCount(result.rows_written, "row")}</span>}
      </div>
      {error !== undefined && status !== "COMPLETED" && (
        <p class="failed">
          <Text>{error}</Text>
        </p>
      )}
      {result && (
        <>
          <p class="minor">
            Files in <code>{visible(result.export_path)}</code>
          </p>
          <ul class="files" aria-label="Files in the bucket">
            {result.exported_files.map((file) => (
              <li key={file}>
                <code>{visible(nameIn(result.export_path, file))}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}

/** Returns the name of a file without its folder, which is the same for all files of a run. */
function nameIn(folder: string, file: string): string {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}
