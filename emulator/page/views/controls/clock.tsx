import { send } from "../../data/api";
import type { Live } from "../../data/live";
import { visible } from "../../ui/format";
import { useAction } from "./action";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STEPS = [
  ["10 seconds", 10_000],
  ["1 minute", MINUTE],
  ["10 minutes", 10 * MINUTE],
  ["1 hour", HOUR],
  ["1 day", 24 * HOUR],
] as const;

interface ClockResult {
  jobs_run: number;
  ended: { kind: string; status: string; deployment?: string; project?: string | null }[];
}

/** Freezes, resumes and advances the emulated clock. */
export function ClockControls({ live: { clock } }: { live: Live }) {
  const { run, isRunning, message } = useAction();
  const change = (body: object, describe: (result: ClockResult) => string) =>
    run(async () => describe(await send<ClockResult>("POST", "/clock", body)));
  const freeze = () =>
    change({ frozen: !clock.frozen }, () => (clock.frozen ? "The clock is running." : "The clock is frozen."));
  return (
    <section aria-labelledby="clock">
      <h3 id="clock">Clock</h3>
      <p class="hint">
        Rollouts, exports and schedules follow this clock. While it is frozen, nothing proceeds until you advance it.
      </p>
      <p class="hint">
        <strong>{clock.frozen ? "The clock is frozen." : "The clock is running."}</strong>
      </p>
      <div class="actions">
        <button type="button" disabled={isRunning} onClick={freeze}>
          {clock.frozen ? "Resume the clock" : "Freeze the clock"}
        </button>
      </div>
      <fieldset class="actions">
        <legend>Advance by</legend>
        {STEPS.map(([title, advance_ms]) => (
          <button
            key={title}
            type="button"
            disabled={isRunning}
            onClick={() => change({ advance_ms }, (result) => `Advanced by ${title}: ${describeResult(result)}`)}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {message}
    </section>
  );
}

function describeResult({ ended }: ClockResult): string {
  if (ended.length === 0) return "no revision and no export run ended.";
  const shown = ended.slice(0, 5).map(({ status, deployment, project }) => {
    const name = deployment ?? project;
    return name ? `${visible(name).slice(0, 60)} ${status}` : status;
  });
  const more = ended.length > shown.length ? `, and ${ended.length - shown.length} more` : "";
  return `ended: ${shown.join(", ")}${more}.`;
}
