import { isRunning, stackOf } from "../../data/stacks";
import type { DeploymentRow } from "../../data/types";
import { shortSource } from "../../ui/format";
import { Status, toneOf } from "../../ui/status";
import { Ago, Text } from "../../ui/text";
import type { Kind } from "./kind";

export const deployments: Kind<"deployments"> = {
  name: "deployments",
  hint: (
    <>
      A deployment is an agent that runs as a service. Each change of its code or configuration creates a{" "}
      <strong>revision</strong>; requests go to the newest one that reached DEPLOYED.
    </>
  ),
  empty: (
    <>
      No deployments yet. Run <code>pulumi up</code> with <code>AGENTGRAPH_CONTROL_PLANE_URL={location.origin}</code>,
      or <code>npm run up</code> in a clone of pulumi-agentgraph. They appear here by themselves.
    </>
  ),
  searches: "Name, stack or ID",
  textsOf: (row) => [row.name, row.id, stackOf(row), row.latest_source, row.active_source],
  states: { running: "active", failed: "failed", live: "done", "not live": "idle" },
  stateOf,
  changedAt: ({ updated_at }) => updated_at,
  groupOf: (row) => stackOf(row) ?? "No stack",
  headings: ["Name", "Latest rollout", "Live", "Project and stack", "Last change"],
  columns: "minmax(0, 2fr) minmax(0, 2.2fr) minmax(0, 2fr) minmax(0, 1.6fr) 110px",
  cells: (row) => (
    <>
      <Text class="name">{row.name}</Text>
      <Rollout row={row} />
      <LiveSource row={row} />
      <Text class="minor">{stackOf(row) ?? ""}</Text>
      <Ago at={row.updated_at} />
    </>
  ),
};

/** What the latest rollout is: while a deployment is deleted, that is in progress too. */
function stateOf(row: DeploymentRow): string {
  if (isRunning(row)) return "running";
  if (toneOf(row.latest_status ?? row.status) === "failed") return "failed";
  return row.active_revision_id === null ? "not live" : "live";
}

/** The latest rollout and, unless it is live, what it rolls out; during a creation or deletion, that status instead. */
function Rollout({ row }: { row: DeploymentRow }) {
  if (/DELETE/.test(row.status)) return <Status status={row.status} tone="active" />;
  const isLive = row.latest_revision_id === row.active_revision_id;
  return (
    <span class="row cell">
      <Status status={row.latest_status ?? row.status} />
      {row.latest_source !== null && !isLive && <Text class="minor">{shortSource(row.latest_source)}</Text>}
    </span>
  );
}

function LiveSource({ row }: { row: DeploymentRow }) {
  if (row.active_revision_id === null) return <span class="minor second">Nothing live yet</span>;
  return (
    <span class="second">
      <span class="narrow minor">Live</span>{" "}
      {row.active_source === null ? "" : <Text>{shortSource(row.active_source)}</Text>}
    </span>
  );
}
