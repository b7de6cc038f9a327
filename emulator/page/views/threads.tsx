import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import { formatCount } from "../ui/format";
import { List } from "../ui/list";
import { Status } from "../ui/status";
import { Empty, Text, Time } from "../ui/text";

/** The newest threads of all deployments. */
export function Threads({ live }: { live: Live }): JSX.Element {
  const [deployment, setDeployment] = useState("");
  const [search, setSearch] = useState("");
  const now = emulatedNow(live);
  const names = new Map(
    live.threads.map((thread) => [thread.deployment_id, thread.deployment ?? thread.deployment_id]),
  );
  const words = search.trim().toLowerCase();
  const rows = live.threads.filter(
    ({ deployment_id, id, metadata, last_message }) =>
      (deployment === "" || deployment === deployment_id) &&
      [last_message, id, metadata].some((text) => text?.toLowerCase().includes(words)),
  );
  const hidden = live.totals.threads - live.threads.length;
  return (
    <>
      <h2>Threads</h2>
      <p class="hint">
        A thread is one conversation with an agent. It keeps its messages and metadata until it is deleted. Threads of
        agents that run as processes are on the pages of their deployments.
      </p>
      {live.threads.length > 1 && (
        <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          {names.size > 1 && (
            <label>
              Deployment
              <select value={deployment} onChange={({ currentTarget }) => setDeployment(currentTarget.value)}>
                <option value="">All</option>
                {[...names].map(([id, name]) => (
                  <option key={id} value={id}>
                    {name.slice(0, 80)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            Last message, ID or metadata
            <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
          </label>
        </form>
      )}
      {live.threads.length === 0 ? (
        <Empty>No threads yet. A program creates them with the resource Thread, and so do clients of an agent.</Empty>
      ) : (
        <p class="count">
          {formatCount(rows.length, "thread")}
          {hidden > 0 && `, the newest; ${formatCount(hidden, "older thread")} not listed`}
        </p>
      )}
      <List
        label="Threads"
        rows={rows}
        keyOf={({ deployment_id, id }) => `${deployment_id}/${id}`}
        link={({ deployment_id, id }) => linkTo("threads", deployment_id, id)}
        columns="threads"
        headings={["Last message", "Status", "Deployment", "ID and metadata", "Last change"]}
      >
        {(row) => (
          <>
            {row.last_message === null ? (
              <span class="minor">No messages yet</span>
            ) : (
              <Text class="name">{row.last_message}</Text>
            )}
            <Status status={row.status} />
            <Text>{row.deployment ?? ""}</Text>
            <span class="minor">
              <code>{row.id.slice(0, 8)}</code> <Text>{row.metadata === "{}" ? "" : row.metadata}</Text>
            </span>
            <Time at={row.updated_at} now={now} />
          </>
        )}
      </List>
    </>
  );
}
