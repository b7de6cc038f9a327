import { linkTo } from "../../data/route";
import type { Deployment, LogLine, Revision } from "../../data/types";
import { formatTime } from "../../ui/format";
import { toneOf } from "../../ui/status";
import { Text } from "../../ui/text";
import { AgentProblem, isUnavailable } from "./agent-process";
import { numberOf } from "./revision-number";

interface SummaryProps {
  deployment: Deployment;
  lines: readonly LogLine[];
  now: number;
}

/** What a reader wants to know first, in a sentence: is the newest revision live, and if not, why. */
export function Summary({ deployment, lines, now }: SummaryProps) {
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
  if (active?.agent && isUnavailable(active.agent)) return <AgentProblem agent={active.agent} name={nameOf(active)} />;
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
  return (
    <div class="callout failed">
      <p>
        <strong>
          The last rollout failed: {nameOf(latest)} ended as {latest.status}
          {ended && ` at ${formatTime(ended.at, now)}`}.
        </strong>{" "}
        {rest}
      </p>
      <Reason deploymentId={deployment.id} line={causeOf(latest, lines)} />
    </div>
  );
}

/** Returns the line of the log that says why a revision failed: the last one with an error. */
export function causeOf({ id, status }: Revision, lines: readonly LogLine[]): LogLine | undefined {
  if (toneOf(status) !== "failed") return undefined;
  return lines.findLast(({ revision_id, level }) => revision_id === id && level === "ERROR");
}

/** Why a revision failed, and where the log says so. */
export function Reason({
  deploymentId,
  line,
  word = "Reason",
}: {
  deploymentId: string;
  line?: LogLine;
  word?: string;
}) {
  if (!line) return null;
  return (
    <p>
      <span>
        {word}: <Text>{line.message}</Text>
      </span>{" "}
      <a href={linkTo("deployments", deploymentId, "log", line.id)}>Show in the log</a>
    </p>
  );
}
