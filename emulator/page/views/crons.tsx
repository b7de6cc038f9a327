import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CronRow } from "../data/assistant-types";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import { formatCount } from "../ui/format";
import { List } from "../ui/list";
import { Status } from "../ui/status";
import { Empty, Text, Time } from "../ui/text";

/** The newest crons of all deployments. */
export function Crons({ live }: { live: Live }): JSX.Element {
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const rows = live.crons.filter(({ schedule, assistant, id, metadata, deployment }) =>
    [schedule, assistant, id, metadata, deployment].some((text) => text?.toLowerCase().includes(words)),
  );
  const hidden = live.totals.crons - live.crons.length;
  return (
    <>
      <h2>Crons</h2>
      <p class="hint">A cron runs an assistant on a schedule, on a new thread each time or on one thread.</p>
      {live.crons.length > 1 && (
        <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          <label>
            Schedule, assistant, deployment, ID or metadata
            <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
          </label>
        </form>
      )}
      {live.crons.length === 0 ? (
        <Empty>No crons yet. Programs and clients of an agent create them.</Empty>
      ) : (
        <p class="count">
          {formatCount(rows.length, "cron")}
          {hidden > 0 && `, the newest; ${formatCount(hidden, "older cron")} not listed`}
        </p>
      )}
      <CronList rows={rows} now={emulatedNow(live)} />
    </>
  );
}

/** Crons with the next time of each. That of a disabled one stands still. */
export function CronList({ rows, now }: { rows: readonly CronRow[]; now: number }): JSX.Element {
  return (
    <List
      label="Crons"
      rows={rows}
      keyOf={({ deployment_id, id }) => `${deployment_id}/${id}`}
      link={({ deployment_id, id }) => linkTo("crons", deployment_id, id)}
      columns="crons"
      headings={["Schedule", "Status", "Assistant", "Deployment", "Next run"]}
    >
      {(row) => (
        <>
          <span>
            <Text class="name">{row.schedule}</Text> <span class="minor">{row.timezone ?? "UTC"}</span>
          </span>
          <CronStatus enabled={row.enabled === 1} />
          <Text>{row.assistant}</Text>
          <Text>{row.deployment ?? ""}</Text>
          <Time at={row.next_run_date} now={now} />
        </>
      )}
    </List>
  );
}

export function CronStatus({ enabled }: { enabled: boolean }): JSX.Element {
  return enabled ? <Status status="enabled" tone="active" /> : <Status status="disabled" tone="idle" />;
}
