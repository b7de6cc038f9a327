import { useAdmin } from "../data/api";
import { useLive } from "../data/live";
import { linkTo } from "../data/route";
import type { Export, ExportRun } from "../data/types";
import { formatCount, formatDay } from "../ui/format";
import { Status } from "../ui/status";
import { Breadcrumb, Code, Empty, Heading, Paragraph, Problem, Properties, Section, Text, Time } from "../ui/text";
import { describePeriod, Progress, projectOf } from "./lists/exports";
import { ResourceRequests } from "./requests/of-resource";

/** One export: its progress, and what each of its runs wrote or why it failed. */
export function ExportView({ id }: { id: string }) {
  const { exports } = useLive();
  const row = exports.find((candidate) => candidate.id === id);
  const { data, error } = useAdmin<Export>(row && `/exports/${encodeURIComponent(id)}`, row && JSON.stringify(row));
  if (!row)
    return (
      <Empty>
        This export does not exist, or is older than those listed. <a href={linkTo("exports")}>All exports</a>
      </Empty>
    );
  if (error) return <Problem>{error}</Problem>;
  const created = exports.filter(({ source_bulk_export_id }) => source_bulk_export_id === id);
  const runs = data?.runs ?? [];
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
          "Next export": data?.next_spawn_at && <Time at={data.next_spawn_at} />,
          ID: <Code>{id}</Code>,
        }}
      />
      {row.interval_hours === null ? (
        <Section title="Runs">
          {runs.length === 0 && <Empty>No runs yet. They appear when the export starts.</Empty>}
          <ol>
            {runs.map((run) => (
              <Run key={run.id} run={run} />
            ))}
          </ol>
        </Section>
      ) : (
        <Section title="Exports of this schedule">
          {created.length === 0 && (
            <Empty>None yet. The first one follows 10 minutes after the end of the first interval.</Empty>
          )}
          <ul class="plain">
            {created.map((row) => (
              <li key={row.id}>
                <a href={linkTo("exports", row.id)}>{describePeriod(row)}</a> <Status status={row.status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <ResourceRequests id={id} />
    </>
  );
}

function Run({ run: { start_time, status, metadata, errors, retry_number } }: { run: ExportRun }) {
  const { result } = metadata;
  const error = Object.values(errors ?? {}).at(-1);
  return (
    <li class="card">
      <div class="row">
        <h4>{formatDay(start_time)}</h4>
        <Status status={status} />
        {retry_number > 0 && <span class="minor">{formatCount(retry_number + 1, "attempt")}</span>}
        {result && <span class="minor">{formatCount(result.rows_written, "row")}</span>}
      </div>
      {error !== undefined && status !== "COMPLETED" && <Paragraph class="failed">{error}</Paragraph>}
      {result && (
        <>
          <p class="minor">
            Files in <Code>{result.export_path}</Code>
          </p>
          <ul class="plain" aria-label="Files in the bucket">
            {result.exported_files.map((file) => (
              <li key={file}>
                <Code>{file.replace(`${result.export_path}/`, "")}</Code>
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}
