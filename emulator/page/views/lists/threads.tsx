import { linkTo } from "../../data/route";
import type { ThreadRow } from "../../data/types";
import { Status } from "../../ui/status";
import { Ago, Text } from "../../ui/text";
import type { Kind } from "./kind";

/** The names of statuses that would otherwise be those of the interface. */
const STATES: Record<string, string> = { busy: "running", interrupted: "waiting", error: "failed" };

/** The newest threads of all deployments. */
export const threads: Kind<ThreadRow> = {
  name: "threads",
  title: "Threads",
  singular: "thread",
  hint: `A thread is one conversation with an agent. It keeps its messages and metadata until it is deleted. Threads of
    agents that run as processes are on the pages of their deployments.`,
  empty: "No threads yet. A program creates them with the resource Thread, and so do clients of an agent.",
  searches: "Last message, deployment, ID or metadata",
  rowsOf: (live) => live.threads,
  textsOf: ({ last_message, deployment, id, metadata }) => [last_message, deployment, id, metadata],
  states: { running: "active", waiting: "waiting", failed: "failed", idle: "idle" },
  stateOf: ({ status }) => STATES[status] ?? status,
  keyOf: ({ deployment_id, id }) => `${deployment_id}/${id}`,
  linkTo: ({ deployment_id, id }) => linkTo("threads", deployment_id, id),
  changedAt: ({ updated_at }) => updated_at,
  headings: ["Last message", "Status", "Deployment", "ID and metadata", "Last change"],
  columns: "minmax(0, 2.4fr) 110px minmax(0, 1.4fr) minmax(0, 2fr) 110px",
  cells: (row, now) => (
    <>
      {row.last_message === null ? (
        <span class="minor">No messages yet</span>
      ) : (
        <Text class="name">{row.last_message}</Text>
      )}
      <Status status={row.status} />
      <Text class="second">{row.deployment ?? ""}</Text>
      <span class="minor">
        <code>{row.id.slice(0, 8)}</code> <Text>{row.metadata === "{}" ? "" : row.metadata}</Text>
      </span>
      <Ago at={row.updated_at} now={now} />
    </>
  ),
};
