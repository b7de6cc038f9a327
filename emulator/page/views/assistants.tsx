import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import { formatCount } from "../ui/format";
import { List } from "../ui/list";
import { Empty, Text, Time } from "../ui/text";

/** The newest assistants of all deployments. */
export function Assistants({ live }: { live: Live }): JSX.Element {
  const [search, setSearch] = useState("");
  const now = emulatedNow(live);
  const words = search.trim().toLowerCase();
  const rows = live.assistants.filter(({ name, graph_id, id, metadata, deployment }) =>
    [name, graph_id, id, metadata, deployment].some((text) => text?.toLowerCase().includes(words)),
  );
  const hidden = live.totals.assistants - live.assistants.length;
  return (
    <>
      <h2>Assistants</h2>
      <p class="hint">
        An assistant is a configuration of a graph. Each change makes a version. The default assistant of a graph is
        listed once it has been changed.
      </p>
      {live.assistants.length > 1 && (
        <form class="filter" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
          <label>
            Name, graph, deployment, ID or metadata
            <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
          </label>
        </form>
      )}
      {live.assistants.length === 0 ? (
        <Empty>No assistants yet, except the default ones. Programs and clients of an agent create them.</Empty>
      ) : (
        <p class="count">
          {formatCount(rows.length, "assistant")}
          {hidden > 0 && `, the newest; ${formatCount(hidden, "older assistant")} not listed`}
        </p>
      )}
      <List
        label="Assistants"
        rows={rows}
        keyOf={({ deployment_id, id }) => `${deployment_id}/${id}`}
        link={({ deployment_id, id }) => linkTo("assistants", deployment_id, id)}
        columns="assistants"
        headings={["Name", "Version", "Deployment", "Graph, crons and metadata", "Last change"]}
      >
        {(row) => (
          <>
            <Text class="name">{row.name === "" ? "No name" : row.name}</Text>
            <span>Version {row.version}</span>
            <Text>{row.deployment ?? ""}</Text>
            <span class="minor">
              <Text>{row.graph_id}</Text>
              {row.crons > 0 && `, ${formatCount(row.crons, "cron")}`}{" "}
              <Text>{row.metadata === "{}" ? "" : row.metadata}</Text>
            </span>
            <Time at={row.updated_at} now={now} />
          </>
        )}
      </List>
    </>
  );
}
