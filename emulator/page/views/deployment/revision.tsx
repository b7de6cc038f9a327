import type { DeploymentLogLine, RequestLogEntry } from "../../../src/runtime/descriptions";
import { linkTo } from "../../data/route";
import type { Deployment, Revision } from "../../data/types";
import { Status } from "../../ui/status";
import { Ago, Code, Json, Paragraph } from "../../ui/text";
import { AgentProcessItem } from "./agent-process";
import { causeOf, numberOf, Reason } from "./summary";
import { TimeLine } from "./time-line";

/** The deployment of a revision, and what else is known of it. */
export interface History {
  deployment: Deployment;
  lines: readonly DeploymentLogLine[];
  /** Those that changed the deployment, newest first, as far as the request log contains them. */
  requests: readonly RequestLogEntry[];
}

/** One revision: its status, its source, and how long it was in each status. */
export function RevisionItem({ revision, deployment, lines, requests }: History & { revision: Revision }) {
  const { id, status, created_at, source_revision_config: config, agent } = revision;
  const { revisions } = deployment;
  const number = numberOf(revision, revisions);
  const previous = revisions[revisions.length - number + 1];
  const isLive = id === deployment.active_revision_id;
  const isHealthy = agent === null || agent.status === "healthy";
  const cause = causeOf(revision, lines);
  const request = requests.findLast(({ resources, method }) => method !== "GET" && resources.includes(id));
  const source = [config.image_uri, config.repo_commit_sha, config.source_tarball_path].find(
    (value) => typeof value === "string",
  );
  return (
    <li class={isLive ? "card live" : "card"}>
      <div class="row">
        <h4>Revision {number}</h4>
        <Status status={status} />
        {isLive && <span class="mark done">{isHealthy ? "Live: receives requests" : "Live, but not healthy"}</span>}
        <span class="minor created">
          Created <Ago at={created_at} />
        </span>
      </div>
      {source !== undefined && <Paragraph class="source">{source}</Paragraph>}
      {previous && <Paragraph class="minor">{describeChange(previous, revision)}</Paragraph>}
      <TimeLine revision={revision} />
      {cause && (
        <div class="cause failed">
          <Reason deploymentId={deployment.id} line={cause} word="Cause" />
        </div>
      )}
      {agent && <AgentProcessItem agent={agent} number={number} />}
      <details>
        <summary>Configuration</summary>
        <p>
          ID <Code>{id}</Code>
        </p>
        <Json value={config} label={`Configuration of revision ${number}`} />
      </details>
      {request && <a href={linkTo("requests", request.id)}>Request that created it</a>}
    </li>
  );
}

/** Returns what a revision changes, as far as its configuration contains it. */
function describeChange(previous: Revision, { source_revision_config: config, command }: Revision): string {
  const before = previous.source_revision_config;
  const changes = Object.keys({ ...before, ...config }).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(config[key]),
  );
  const show = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
  const lines = changes.map((key) => `${key} ${show(before[key])} → ${show(config[key])}`);
  if (previous.command !== command) lines.push(`command ${show(previous.command)} → ${show(command)}`);
  if (lines.length > 0) return `Changed: ${lines.join(", ")}`;
  const nor = command === null ? "" : " nor the command";
  return `Changed: not the source${nor}, but settings of the deployment, such as secrets or resources, if anything`;
}
