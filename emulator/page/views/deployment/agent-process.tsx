import type { AgentProcess } from "../../data/types";
import { Copyable } from "../../ui/copy";
import { Status, type Tone } from "../../ui/status";
import { Properties, Text } from "../../ui/text";

const tones: Record<AgentProcess["status"], Tone> = {
  starting: "active",
  healthy: "done",
  restarting: "failed",
  ending: "idle",
};

/** The process of a revision: whether it is healthy, where it listens, and how often it ended by itself. */
export function AgentProcessItem({ agent, number }: { agent: AgentProcess; number: number }) {
  const { status, port, pid, restarts, last_exit, command } = agent;
  return (
    <section class="card process" aria-label={`Process of revision ${number}`}>
      <Properties
        of={{
          Health: <Status status={status} tone={tones[status]} />,
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

/** Whether the agent of a live revision does not respond, because it ended by itself. */
export function isUnavailable({ status, last_exit }: AgentProcess): boolean {
  return status === "restarting" || (status === "starting" && last_exit !== null);
}

export function AgentProblem({ agent, name }: { agent: AgentProcess; name: string }) {
  return (
    <p class="callout failed" role="alert">
      <strong>
        {name} is live, but its agent does not respond: it <Text>{agent.last_exit ?? "could not be started"}</Text>.
      </strong>{" "}
      The emulator starts it again after a pause. The log contains what it printed.
    </p>
  );
}
