import { useNow } from "../../data/live";
import type { Revision } from "../../data/types";
import { formatDuration, formatTime, visible } from "../../ui/format";
import { type Tone, ToneIcon, toneOf } from "../../ui/status";

/** The statuses of a revision in order, and a bar with parts as long as each took. */
export function TimeLine({ revision }: { revision: Revision }) {
  const now = useNow();
  const steps = stepsOf(revision, now);
  return (
    <div class="time-line">
      <div class="bar" aria-hidden="true">
        {steps.map(({ status, tone, duration }) => (
          <span key={status} class={tone} style={{ flexGrow: duration === undefined ? 0 : Math.max(1, duration) }} />
        ))}
      </div>
      <ol>
        {steps.map(({ status, at, tone, duration }) => (
          <li key={`${status} ${at}`} class={tone}>
            <ToneIcon tone={tone === "passed" ? "done" : tone} />
            <span>
              {visible(status)}
              <small>{duration === undefined ? formatTime(at, now) : formatDuration(duration)}</small>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns how long the revision was or has been in each status, in milliseconds; not for the one in which it ended. */
function stepsOf({ status: last, status_history, created_at }: Revision, now: number) {
  // A revision of an earlier version of the emulator has no history: only its beginning is known, and how it ended.
  const history = status_history.length > 0 ? status_history : [{ status: last, at: created_at }];
  return history.map(({ status, at }, index) => {
    const next = history[index + 1];
    const end = next ? Date.parse(next.at) : toneOf(last) === "active" ? now : undefined;
    // What failed is the step before the status that says so.
    const hasFailed = toneOf(last) === "failed" && index === history.length - 2;
    const tone: Tone | "passed" = !next ? toneOf(status) : hasFailed ? "failed" : "passed";
    return { status, at, tone, duration: end && Math.max(0, end - Date.parse(at)) };
  });
}
