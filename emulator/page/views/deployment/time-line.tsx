import type { Revision, StatusAt } from "../../data/types";
import { formatDuration, formatTime, visible } from "../../ui/format";
import { type Tone, ToneIcon, toneOf } from "../../ui/status";

/** A status of a revision on its time line. */
interface Step {
  status: string;
  at: string;
  tone: Tone | "passed";
  /** How long the revision was or has been in it, in milliseconds; undefined for the status in which it ended. */
  duration?: number;
}

/** The statuses of a revision in order, and a bar with parts as long as each took. */
export function TimeLine({ revision, now }: { revision: Revision; now: number }) {
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

function stepsOf(revision: Revision, now: number): Step[] {
  const history = historyOf(revision);
  const ends = toneOf(revision.status);
  return history.map(({ status, at }, index) => {
    const next = history[index + 1];
    if (next === undefined) {
      const duration = ends === "active" ? { duration: Math.max(0, now - Date.parse(at)) } : {};
      return { status, at, tone: toneOf(status), ...duration };
    }
    // What failed is the step before the status that says so.
    const tone = ends === "failed" && index === history.length - 2 ? "failed" : "passed";
    return { status, at, tone, duration: Math.max(0, Date.parse(next.at) - Date.parse(at)) };
  });
}

/** A revision of an earlier version of the emulator has no history: only its beginning is known, and how it ended. */
function historyOf({ status_history, created_at, status }: Revision): StatusAt[] {
  return status_history.length > 0 ? status_history : [{ status, at: created_at }];
}
