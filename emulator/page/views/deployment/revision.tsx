import type { JSX } from "preact";
import { send } from "../../data/api";
import { linkTo } from "../../data/route";
import type { RequestEntry, Revision } from "../../data/types";
import { formatTime } from "../../ui/format";
import { Status } from "../../ui/status";
import { Code, Json, Text } from "../../ui/text";
import { useAction } from "../controls/action";
import { CHANGES } from "../requests/filter";
import { AgentProcessItem } from "./agent-process";
import { TimeLine } from "./time-line";

interface RevisionItemProps {
  revision: Revision;
  previous: Revision | undefined;
  number: number;
  isLive: boolean;
  now: number;
}

/** One revision: its status, its source, and how long it was in each status. */
export function RevisionItem({ revision, previous, number, isLive, now }: RevisionItemProps): JSX.Element {
  const { id, status, created_at, source_revision_config: config, agent } = revision;
  const isHealthy = agent === null || agent.status === "healthy";
  const source = [config.image_uri, config.repo_commit_sha, config.source_tarball_path].find(
    (value) => typeof value === "string",
  );
  return (
    <li class={isLive ? "live" : undefined}>
      <div class="heading">
        <h4>Revision {number}</h4>
        <Status status={status} />
        {isLive && <span class="live-mark">{isHealthy ? "Live: receives requests" : "Live, but not healthy"}</span>}
        <span class="minor created">
          Created <time dateTime={created_at}>{formatTime(created_at, now)}</time>
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
      {agent && <AgentProcessItem agent={agent} number={number} />}
      <details>
        <summary>Configuration</summary>
        <p>
          ID <Code>{id}</Code>
        </p>
        <Json value={config} label={`Configuration of revision ${number}`} />
      </details>
      <CreatingRequest id={id} />
    </li>
  );
}

/** Opens the request that created a revision: the first one that changed something and returned its ID. */
function CreatingRequest({ id }: { id: string }): JSX.Element {
  const { run, isRunning, message } = useAction();
  const open = () =>
    run(async () => {
      const { entries } = await send<{ entries: RequestEntry[] }>(
        "GET",
        `/request-log?resource=${id}&method=${CHANGES}`,
      );
      const [first] = entries;
      if (first) location.hash = linkTo("requests", first.id);
      return first ? "" : "No request created it, or the log no longer contains it.";
    });
  return (
    <>
      <button type="button" class="link" disabled={isRunning} onClick={open}>
        Request that created it
      </button>
      {message}
    </>
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
  const notCommand = command === null ? "" : " nor the command";
  return `Changed: not the source${notCommand}, but settings of the deployment, such as secrets or resources, if anything`;
}
