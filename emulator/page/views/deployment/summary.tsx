import type { AgentDescription, DeploymentLogLine } from "../../../src/runtime/descriptions";
import { useNow } from "../../data/live";
import { linkTo } from "../../data/route";
import type { Deployment, Revision } from "../../data/types";
import { formatTime } from "../../ui/format";
import { toneOf } from "../../ui/status";
import { Problem, Text } from "../../ui/text";

/** What a reader wants to know first, in a sentence: is the newest revision live, and if not, why. */
export function Summary({ deployment, lines }: { deployment: Deployment; lines: readonly DeploymentLogLine[] }) {
  const now = useNow();
  const { revisions, active_revision_id, status } = deployment;
  const [latest] = revisions;
  const active = revisions.find(({ id }) => id === active_revision_id);
  const nameOf = (revision: Revision) => `Revision ${numberOf(revision, revisions)}`;
  if (/DELETE/.test(status)) return <p class="callout active">The deployment is being deleted.</p>;
  if (!latest) return <p class="callout active">The deployment is being prepared. Its first revision follows.</p>;
  const isHealthy = !active?.agent || active.agent.status === "healthy";
  const stays = active && `${nameOf(active)} ${isHealthy ? "stays live" : "is the live one, but it is not healthy"}.`;
  const rest = stays ?? "Nothing is live, because no revision has been deployed yet.";
  const tone = toneOf(latest.status);
  if (active?.agent && isUnavailable(active.agent))
    return (
      <Problem>
        <strong>
          {nameOf(active)} is live, but its agent does not respond: it{" "}
          <Text>{active.agent.last_exit ?? "could not be started"}</Text>.
        </strong>{" "}
        The emulator starts it again after a pause. The log contains what it printed.
      </Problem>
    );
  if (latest.id === active_revision_id)
    return <p class="callout done">{nameOf(latest)} is live. Nothing is in progress.</p>;
  if (tone === "active")
    return (
      <p class="callout active">
        {nameOf(latest)} is being rolled out: {latest.status}. {active && `${nameOf(active)} is live until it is done.`}
      </p>
    );
  if (tone === "idle") return <p class="callout idle">{`${nameOf(latest)} ended as ${latest.status}. ${rest}`}</p>;
  const ended = latest.status_history.at(-1);
  const cause = causeOf(latest, lines);
  return (
    <div class="callout failed">
      <p>
        <strong>
          The last rollout failed: {nameOf(latest)} ended as {latest.status}
          {ended && ` at ${formatTime(ended.at, now)}`}.
        </strong>{" "}
        {rest}
      </p>
      {cause && <Reason deploymentId={deployment.id} line={cause} word="Reason" />}
    </div>
  );
}

/** Revisions have only IDs; a number is easier to talk about. The first one is 1. */
export function numberOf({ id }: Pick<Revision, "id">, newestFirst: readonly Revision[]): number {
  return newestFirst.length - newestFirst.findIndex((revision) => revision.id === id);
}

/** Whether the agent of a live revision does not respond, because it ended by itself. */
function isUnavailable({ status, last_exit }: AgentDescription): boolean {
  return status === "restarting" || (status === "starting" && last_exit !== null);
}

/** Returns the line of the log that says why a revision failed: the last one with an error. */
export function causeOf({ id, status }: Revision, lines: readonly DeploymentLogLine[]): DeploymentLogLine | undefined {
  if (toneOf(status) !== "failed") return undefined;
  return lines.findLast(({ revision_id, level }) => revision_id === id && level === "ERROR");
}

/** Why a revision failed, and where the log says so. */
export function Reason({ deploymentId, line, word }: { deploymentId: string; line: DeploymentLogLine; word: string }) {
  return (
    <p>
      <span>
        {word}: <Text>{line.message}</Text>
      </span>{" "}
      <a href={linkTo("deployments", deploymentId, "log", line.id)}>Show in the log</a>
    </p>
  );
}
