import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LogLine, Revision } from "../../data/types";
import { formatTime, visible } from "../../ui/format";
import { Empty } from "../../ui/text";
import { numberOf } from "./revision-number";

/** The build and deploy logs of a deployment, or of one of its revisions. */
export function Logs({ lines, revisions, now }: { lines: LogLine[]; revisions: Revision[]; now: number }): JSX.Element {
  const [selected, setSelected] = useState("");
  const log = useRef<HTMLElement>(null);
  const shown = lines.filter(({ revision_id }) => selected === "" || revision_id === selected);
  // New lines are the reason to scroll to the end.
  useLayoutEffect(() => log.current?.scrollTo(0, log.current.scrollHeight), [shown.at(-1)?.id]);
  return (
    <section aria-labelledby="logs">
      <div class="heading">
        <h3 id="logs">Log</h3>
        <label>
          Revision{" "}
          <select value={selected} onChange={({ currentTarget }) => setSelected(currentTarget.value)}>
            <option value="">All</option>
            {revisions.map((revision) => (
              <option key={revision.id} value={revision.id}>
                {numberOf(revision, revisions)} ({visible(revision.status)})
              </option>
            ))}
          </select>
        </label>
      </div>
      {shown.length === 0 ? (
        <Empty>No log lines yet.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section class="log" aria-label="Log lines, newest last" tabIndex={0} ref={log}>
          <ol>
            {shown.map((line) => (
              <li key={line.id} class={line.level === "ERROR" ? "failed" : undefined}>
                <time dateTime={line.time}>{formatTime(line.time, now)}</time>
                <span class="minor">
                  {line.type}
                  {revisions.length > 0 && `, revision ${numberOf({ id: line.revision_id }, revisions)}`}
                </span>
                <span class="level">{visible(line.level)}</span>
                <bdi>{visible(line.message)}</bdi>
              </li>
            ))}
          </ol>
        </section>
      )}
    </section>
  );
}
