import { linkTo } from "../../data/route";
import type { LogLine, RequestEntry, Revision } from "../../data/types";
import { Status } from "../../ui/status";
import { Ago, Code, Json, Text } from "../../ui/text";
import { AgentProcessItem } from "./agent-process";
import { Reason } from "./summary";
import { TimeLine } from "./time-line";

interface RevisionItemProps {
  revision: Revision;
  previous: Revision | undefined;
  number: number;
  isLive: boolean;
  /** Why it failed. */
  cause: LogLine | undefined;
  /** What created it, as far as the request log contains it. */
  request: RequestEntry | undefined;
  deploymentId: string;
  now: number;
}

/** One revision: its status, its source, and how long it was in each status. */
export function RevisionItem(props: RevisionItemProps) {
  const { revision, previous, number, isLive, cause, request, now } = props;
  const { id, status, created_at, source_revision_config: config, agent } = revision;
  const isHealthy = agent === null || agent.status === "healthy";
  const source = [config.image_uri, config.repo_commit_sha, config.source_tarball_path].find(
    (value) => typeof value === "string",
  );
  return (
    <li class={isLive ? "card live" : "card"}>
      <div class="heading">
        <h4>Revision {number}</h4>
        <Status status={status} />
        {isLive && <span class="mark done">{isHealthy ? "Live: receives requests" : "Live, but not healthy"}</span>}
        <span class="minor created">
          Created <Ago at={created_at} now={now} />
        </span>
      </div>
      {source !== undefined && (
        <p class="source">
          <Text>{source}</Text>
        </p>
      )}
      {previous && (
        <p class="minor">
          <Text>{describeChange(previous, revision)}</Text>
        </p>
      )}
      <TimeLine revision={revision} now={now} />
      {cause && (
        <div class="cause">
          <Reason deploymentId={props.deploymentId} line={cause} word="Cause" />
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
