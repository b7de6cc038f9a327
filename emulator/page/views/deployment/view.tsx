import type { JSX } from "preact";
import { useAdmin } from "../../data/api";
import { emulatedNow, type Live } from "../../data/live";
import { linkTo } from "../../data/route";
import type { Deployment, LogLine, Revision } from "../../data/types";
import { Copyable } from "../../ui/copy";
import { formatCount, formatTime } from "../../ui/format";
import { toneOf } from "../../ui/status";
import { Empty, Problem, Property, Text } from "../../ui/text";
import { ResourceRequests } from "../requests/of-resource";
import { AgentProblem, isUnavailable } from "./agent-process";
import { Logs } from "./logs";
import { MessageBox } from "./message-box";
import { RevisionItem } from "./revision";
import { numberOf } from "./revision-number";

/** How many of the newest log lines are shown. */
const LOG_LINES = 500;

/** One deployment: what is live and why, its revisions on a time line, their logs, and the requests about it. */
export function DeploymentView({ live, id }: { live: Live; id: string }): JSX.Element {
  const row = live.deployments.find((candidate) => candidate.id === id);
  const version = row && JSON.stringify(row);
  const { data: deployment, error } = useAdmin<Deployment>(row && `/deployments/${encodeURIComponent(id)}`, version);
  const logs = useAdmin<{ lines: LogLine[] }>(
    row && `/logs?deployment=${encodeURIComponent(id)}&limit=${LOG_LINES}`,
    version,
  );
  const back = <a href={linkTo("deployments")}>All deployments</a>;
  if (!row) return <Empty>This deployment does not exist, or was deleted. {back}</Empty>;
  if (error) return <Problem>{error}</Problem>;
  const lines = logs.data?.lines ?? [];
  const url = String(deployment?.source_config.custom_url ?? "");
  const resource = deployment && resourceOf(deployment);
  return (
    <>
      <nav aria-label="Breadcrumb" class="breadcrumb">
        {back}
      </nav>
      <h2>
        <Text>{row.name}</Text>
      </h2>
      {deployment && <Summary deployment={deployment} lines={lines} now={emulatedNow(live)} />}
      <dl class="properties">
        <Property name="ID">
          <Copyable value={row.id} name="ID" />
        </Property>
        {url !== "" && (
          <Property name="Agent server">
            <Copyable value={url} name="URL of the agent server" />
          </Property>
        )}
        {resource !== undefined && (
          <Property name="Pulumi resource">
            <Text>{resource}</Text>
          </Property>
        )}
        <Property name="Source">{row.source}</Property>
        {row.status !== "READY" && <Property name="Status">{row.status}</Property>}
      </dl>
      {deployment?.active_revision_id != null && !/DELETE/.test(row.status) && (
        <MessageBox live={live} deployment={deployment} key={id} />
      )}
      {deployment && <Revisions live={live} deployment={deployment} />}
      <Logs lines={lines} revisions={deployment?.revisions ?? []} now={emulatedNow(live)} />
      <ResourceRequests live={live} id={id} />
    </>
  );
}

/** Returns the Pulumi resource that its ownership marker names: `owner/urn:pulumi:stack::project::type::name`. */
function resourceOf({ secrets }: Deployment): string | undefined {
  const marker = secrets.find(({ name }) => name === "PULUMI_RESOURCE")?.value ?? "";
  const [, stack, project, name] = /urn:pulumi:([^:]+)::([^:]+)::.*::(.+)$/.exec(marker) ?? [];
  return name === undefined ? undefined : `${name}, in stack ${stack} of project ${project}`;
}

/** What a reader wants to know first, in a sentence: is the newest revision live, and if not, why. */
function Summary({ deployment, lines, now }: { deployment: Deployment; lines: LogLine[]; now: number }): JSX.Element {
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
  const reason = lines.findLast(({ revision_id, level }) => revision_id === latest.id && level === "ERROR")?.message;
  return (
    <div class="callout failed">
      <p>
        <strong>
          The last rollout failed: {nameOf(latest)} ended as {latest.status}
          {ended && ` at ${formatTime(ended.at, now)}`}.
        </strong>{" "}
        {rest}
      </p>
      {reason !== undefined && (
        <p>
          Reason: <Text>{reason}</Text>
        </p>
      )}
    </div>
  );
}

function Revisions({ live, deployment: { revisions, active_revision_id } }: { live: Live; deployment: Deployment }) {
  return (
    <section aria-labelledby="revisions">
      <h3 id="revisions">Revisions</h3>
      <p class="hint">
        {formatCount(revisions.length, "revision")}, newest first. A revision is one version of the deployment: its code
        and configuration. It passes through the statuses below until it is DEPLOYED, or ends with the reason in its
        log.
      </p>
      <ol class="revisions" reversed>
        {revisions.map((revision, index) => (
          <RevisionItem
            key={revision.id}
            revision={revision}
            previous={revisions[index + 1]}
            number={numberOf(revision, revisions)}
            isLive={revision.id === active_revision_id}
            now={emulatedNow(live)}
          />
        ))}
      </ol>
    </section>
  );
}
