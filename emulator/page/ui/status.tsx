import { visible } from "./format";

/** What a status means to a reader: the shape and color of its badge. */
export type Tone = "done" | "active" | "failed" | "waiting" | "idle";

const shapes: Record<Tone, string> = {
  done: "M4.5 8.3l2.4 2.4 4.6-5",
  active: "M8 4.4v4l2.6 1.6",
  failed: "M5.3 5.3l5.4 5.4m0-5.4l-5.4 5.4",
  waiting: "M6.2 5v6m3.6-6v6",
  idle: "M5 8h6",
};

const DONE = ["DEPLOYED", "READY", "COMPLETED", "INTERVAL_SCHEDULED", "HEALTHY", "ENABLED"];
const IDLE = ["IDLE", "SKIPPED", "INTERRUPTED", "CANCELLED", "UNUSED", "UNKNOWN", "ENDING", "DISABLED"];

/** Returns the tone of a status of a revision, a deployment, an agent, a thread, a cron, an export or a run. */
export function toneOf(status: string): Tone {
  const name = status.toUpperCase();
  // A thread that waits for a person, in lower case; an INTERRUPTED revision waits for nobody.
  if (status === "interrupted") return "waiting";
  if (DONE.includes(name)) return "done";
  if (IDLE.includes(name)) return "idle";
  return /FAILED|ERROR|TIMEDOUT|RESTARTING/.test(name) ? "failed" : "active";
}

/** A status as a symbol and its word, so that neither color nor shape alone says it. */
export function Status({ status, tone = toneOf(status) }: { status: string; tone?: Tone }) {
  return (
    <span class={`status ${tone}`}>
      <ToneIcon tone={tone} />
      {visible(status)}
    </span>
  );
}

/** The symbol of a tone, which repeats what the word beside it says. */
export function ToneIcon({ tone }: { tone: Tone }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="7" />
      <path d={shapes[tone]} />
    </svg>
  );
}

/** The status of an HTTP response; null if the connection was closed without one. */
export function HttpStatus({ status }: { status: number | null }) {
  if (status === null) return <Status status="closed" tone="failed" />;
  // Clients ask for what may not exist, so 404 alone is not a failure.
  const tone = status < 400 ? "done" : status === 404 ? "idle" : "failed";
  return <Status status={String(status)} tone={tone} />;
}
