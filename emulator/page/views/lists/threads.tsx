import { Status } from "../../ui/status";
import { Ago, Text } from "../../ui/text";
import type { Kind } from "./kind";

const STATES: Record<string, string> = { busy: "running", interrupted: "waiting", error: "failed" };

export const threads: Kind<"threads"> = {
  name: "threads",
  hint: `A thread is one conversation with an agent. It keeps its messages and metadata until it is deleted. Threads of
    agents that run as processes are on the pages of their deployments.`,
  empty: "No threads yet. A program creates them with the resource Thread, and so do clients of an agent.",
  searches: "Last message, deployment, ID or metadata",
  textsOf: ({ last_message, deployment, id, metadata }) => [last_message, deployment, id, metadata],
  states: { running: "active", waiting: "waiting", failed: "failed", idle: "idle" },
  stateOf: ({ status }) => STATES[status] ?? status,
  changedAt: ({ updated_at }) => updated_at,
  headings: ["Last message", "Status", "Deployment", "ID and metadata", "Last change"],
  columns: "minmax(0, 2.4fr) 110px minmax(0, 1.4fr) minmax(0, 2fr) 110px",
  cells: (row) => (
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
      <Ago at={row.updated_at} />
    </>
  ),
};
