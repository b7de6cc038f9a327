import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { emulatedNow, type Live } from "../data/live";
import { linkTo } from "../data/route";
import type { DeploymentRow } from "../data/types";
import { formatCount, shortSource } from "../ui/format";
import { List } from "../ui/list";
import { Status } from "../ui/status";
import { Empty, Text, Time } from "../ui/text";

/** All deployments with their latest rollout and what is live. */
export function Deployments({ live }: { live: Live }): JSX.Element {
  const [search, setSearch] = useState("");
  const now = emulatedNow(live);
  const words = search.trim().toLowerCase();
  const rows = live.deployments.filter(({ name, id }) => name.toLowerCase().includes(words) || id.startsWith(words));
  return (
    <>
      <h2>Deployments</h2>
      <p class="hint">
        A deployment is an agent that runs as a service. Each change of its code or configuration creates a{" "}
        <strong>revision</strong>; requests go to the newest one that reached DEPLOYED.
      </p>
      {live.deployments.length > 1 && (
        <label class="search">
          Name or ID
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
      )}
      {live.deployments.length === 0 ? (
        <NoDeployments />
      ) : (
        <p class="count">{formatCount(rows.length, "deployment")}</p>
      )}
      <List
        label="Deployments"
        rows={rows}
        keyOf={({ id }) => id}
        link={({ id }) => linkTo("deployments", id)}
        columns="deployments"
        headings={["Name", "Latest rollout", "Live", "Revisions", "Last change"]}
      >
        {(row) => (
          <>
            <Text class="name">{row.name}</Text>
            <Rollout row={row} />
            <LiveSource row={row} />
            <span class="minor">{row.revisions}</span>
            <Time at={row.updated_at} now={now} />
          </>
        )}
      </List>
    </>
  );
}

function NoDeployments(): JSX.Element {
  return (
    <Empty>
      No deployments yet. Run <code>pulumi up</code> with <code>AGENTGRAPH_CONTROL_PLANE_URL={location.origin}</code>,
      or <code>npm run up</code> in a clone of pulumi-agentgraph. They appear here by themselves.
    </Empty>
  );
}

/** The latest rollout and, unless it is live, what it rolls out; while a deployment is created or deleted, its own status. */
function Rollout({ row }: { row: DeploymentRow }): JSX.Element {
  if (/DELETE/.test(row.status)) return <Status status={row.status} tone="active" />;
  const isLive = row.latest_revision_id === row.active_revision_id;
  return (
    <span class="cell">
      <Status status={row.latest_status ?? row.status} />
      {row.latest_source !== null && !isLive && <Text class="minor">{shortSource(row.latest_source)}</Text>}
    </span>
  );
}

function LiveSource({ row }: { row: DeploymentRow }): JSX.Element {
  if (row.active_revision_id === null) return <span class="minor">Nothing live yet</span>;
  return (
    <span class="cell">
      <span class="narrow">Live</span>
      {row.active_source === null ? "" : <Text>{shortSource(row.active_source)}</Text>}
    </span>
  );
}
