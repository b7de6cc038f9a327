import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DeploymentLogLine } from "../../../src/runtime/descriptions";
import { useNow } from "../../data/live";
import type { Revision } from "../../data/types";
import { SelectField } from "../../ui/fields";
import { formatDateTime, formatTime, visible } from "../../ui/format";
import { Empty } from "../../ui/text";
import { numberOf } from "./summary";

const ALL = ["", "All"] as const;

interface LogsProps {
  lines: DeploymentLogLine[];
  revisions: Revision[];
  /** The ID of a line to show. Default: the newest one. */
  line?: string;
}

/** The build and deploy logs of a deployment, or of one of its revisions. */
export function Logs({ lines, revisions, line }: LogsProps) {
  const now = useNow();
  const [selected, setSelected] = useState("");
  const titleOf = (revision: Revision) => `${numberOf(revision, revisions)} (${visible(revision.status)})`;
  const choices = [ALL, ...revisions.map((revision) => [revision.id, titleOf(revision)] as const)];
  const log = useRef<HTMLElement>(null);
  const shown = lines.filter(({ revision_id }) => selected === "" || revision_id === selected);
  const hasLine = shown.some(({ id }) => String(id) === line);
  // New lines are the reason to scroll to the end, unless one of them is being read.
  useLayoutEffect(() => {
    if (hasLine) log.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
    else log.current?.scrollTo(0, log.current.scrollHeight);
  }, [hasLine || shown.at(-1)?.id]);
  return (
    <>
      <div class="row">
        <SelectField class="inline" label="Revision" value={selected} onChange={setSelected} options={choices} />
      </div>
      {shown.length === 0 ? (
        <Empty>No log lines yet.</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <section class="log" aria-label="Log lines, newest last" tabIndex={0} ref={log}>
          <ol>
            {shown.map(({ id, level, time, type, revision_id, message }) => (
              <li
                key={id}
                class={level === "ERROR" ? "failed" : undefined}
                aria-current={String(id) === line ? "location" : undefined}
              >
                <time dateTime={time} title={formatDateTime(time)}>
                  {formatTime(time, now)}
                </time>
                <span class="minor">
                  {type}
                  {revisions.length > 0 && `, revision ${numberOf({ id: revision_id }, revisions)}`}
                </span>
                <span class="level">{visible(level)}</span>
                <bdi>{visible(message)}</bdi>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
