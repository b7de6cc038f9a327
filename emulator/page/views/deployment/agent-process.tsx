import type { AgentDescription } from "../../../src/runtime/descriptions";
import { Copyable } from "../../ui/copy";
import { Status } from "../../ui/status";
import { Properties, Text } from "../../ui/text";

/** The process of a revision: whether it is healthy, where it listens, and how often it ended by itself. */
export function AgentProcessItem({ agent, number }: { agent: AgentDescription; number: number }) {
  const { status, port, pid, restarts, last_exit, command } = agent;
  return (
    <section class="card process" aria-label={`Process of revision ${number}`}>
      <Properties
        of={{
          Health: <Status status={status} />,
          Port: port ?? "None yet",
          "Process ID": pid ?? "None",
          Restarts: String(restarts),
          "Last exit": last_exit !== null && <Text>{last_exit}</Text>,
          Command: <Copyable value={command} name="command" />,
        }}
      />
    </section>
  );
}
