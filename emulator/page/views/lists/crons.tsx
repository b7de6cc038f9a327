import type { CronRow } from "../../data/types";
import { formatDateTime } from "../../ui/format";
import { Status } from "../../ui/status";
import { Ago, Text } from "../../ui/text";
import type { Kind } from "./kind";

const stateOf = ({ enabled }: CronRow) => (enabled === 1 ? "enabled" : "disabled");

/** The newest crons of all deployments with the next time of each. That of a disabled one stands still. */
export const crons: Kind<"crons"> = {
  name: "crons",
  hint: "A cron runs an assistant on a schedule, on a new thread each time or on one thread.",
  empty: "No crons yet. Programs and clients of an agent create them.",
  searches: "Schedule, assistant, deployment, ID or metadata",
  textsOf: ({ schedule, assistant, id, metadata, deployment }) => [schedule, assistant, id, metadata, deployment],
  states: { enabled: "done", disabled: "idle" },
  stateOf,
  changedAt: ({ updated_at }) => updated_at,
  headings: ["Schedule", "Status", "Assistant and deployment", "Next run, in its zone", "Next run"],
  columns: "minmax(0, 1.6fr) 110px minmax(0, 2fr) minmax(0, 1.8fr) 110px",
  cells: (row) => (
    <>
      <span>
        <Text class="name">{row.schedule}</Text> <span class="minor">{row.timezone ?? "UTC"}</span>
      </span>
      <Status status={stateOf(row)} />
      <span class="second">
        <Text>{row.assistant}</Text> <Text class="minor">{row.deployment ?? ""}</Text>
      </span>
      <span class="minor">{formatDateTime(row.next_run_date, row.timezone ?? "UTC")}</span>
      <Ago at={row.next_run_date} />
    </>
  ),
};
