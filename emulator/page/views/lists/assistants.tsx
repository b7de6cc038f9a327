import { formatCount } from "../../ui/format";
import { Ago, Text } from "../../ui/text";
import type { Kind } from "./kind";

export const assistants: Kind<"assistants"> = {
  name: "assistants",
  hint: `An assistant is a configuration of a graph. Each change makes a version. The default assistant of a graph is
    listed once it has been changed.`,
  empty: "No assistants yet, except the default ones. Programs and clients of an agent create them.",
  searches: "Name, graph, deployment, ID or metadata",
  textsOf: ({ name, graph_id, id, metadata, deployment }) => [name, graph_id, id, metadata, deployment],
  states: {},
  stateOf: () => "",
  changedAt: ({ updated_at }) => updated_at,
  headings: ["Name", "Version", "Deployment", "Graph, crons and metadata", "Last change"],
  columns: "minmax(0, 2.4fr) 90px minmax(0, 1.4fr) minmax(0, 2fr) 110px",
  cells: (row) => (
    <>
      <Text class="name">{row.name === "" ? "No name" : row.name}</Text>
      <span>Version {row.version}</span>
      <Text class="second">{row.deployment ?? ""}</Text>
      <span class="minor">
        <Text>{row.graph_id}</Text>
        {row.crons > 0 && `, ${formatCount(row.crons, "cron")}`}{" "}
        <Text>{row.metadata === "{}" ? "" : row.metadata}</Text>
      </span>
      <Ago at={row.updated_at} />
    </>
  ),
};
