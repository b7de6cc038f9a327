import type { JSX } from "preact";
import type { Revision, StatusAt } from "../data/types";
import { formatDuration, formatTime, visible } from "../ui/format";
import { Status, ToneIcon, toneOf } from "../ui/status";
import { Code, Json, Text } from "../ui/text";

interface RevisionItemProps {
  revision: Revision;
  number: number;
  isLive: boolean;
  now: number;
}

/** One revision: its status, its source, and how long it was in each status. */
export function RevisionItem({ revision, number, isLive, now }: RevisionItemProps): JSX.Element {
  const { id, status, created_at, source_revision_config: config } = revision;
  const source = [config.image_uri, config.repo_commit_sha, config.source_tarball_path].find(
    (value) => typeof value === "string",
  );
  return (
    <li class={isLive ? "live" : undefined}>
      <div class="heading">
        <h4>Revision {number}</h4>
        <Status status={status} />
        {isLive && <span class="live-mark">Live: receives requests</span>}
        <time class="minor" dateTime={created_at}>
          {formatTime(created_at, now)}
        </time>
      </div>
      {source !== undefined && (
        <p class="source">
          <Text>{source}</Text>
        </p>
      )}
      <TimeLine history={historyOf(revision)} now={now} />
      <details>
        <summary>Configuration</summary>
        <p>
          ID <Code>{id}</Code>
        </p>
        <Json value={config} label={`Configuration of revision ${number}`} />
      </details>
    </li>
  );
}

/** A revision of an earlier version of the emulator has no history: only its beginning is known, and how it ended. */
function historyOf({ status_history, created_at, status }: Revision): StatusAt[] {
  return status_history.length > 0 ? status_history : [{ status, at: created_at }];
}

/** The statuses of a revision in order, and a bar with parts as long as each took. */
function TimeLine({ history, now }: { history: StatusAt[]; now: number }): JSX.Element {
  const steps = history.map(({ status, at }, index) => {
    const next = history[index + 1];
    const isLast = next === undefined;
    const isRunning = isLast && toneOf(status) === "active";
    const end = next ? Date.parse(next.at) : now;
    return { status, at, isLast, isRunning, duration: Math.max(0, end - Date.parse(at)) };
  });
  return (
    <div class="time-line">
      <div class="bar" aria-hidden="true">
        {steps
          .filter(({ isLast, isRunning }) => !isLast || isRunning)
          .map(({ status, duration, isRunning }) => (
            <span key={status} class={isRunning ? "running" : "passed"} style={{ flexGrow: Math.max(1, duration) }} />
          ))}
        <span class={`end ${steps.at(-1)?.isRunning ? "" : toneOf(history.at(-1)?.status ?? "")}`} />
      </div>
      <ol>
        {steps.map(({ status, at, isLast, isRunning, duration }) => (
          <li key={`${status} ${at}`} class={isRunning ? "active" : isLast ? toneOf(status) : "passed"}>
            <ToneIcon tone={isLast ? toneOf(status) : "done"} />
            <span>
              {visible(status)}
              <small>{isLast && !isRunning ? formatTime(at, now) : formatDuration(duration)}</small>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
