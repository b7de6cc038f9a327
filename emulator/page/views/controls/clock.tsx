import { send } from "../../data/api";
import { useLive } from "../../data/live";
import { Button } from "../../ui/fields";
import { visible } from "../../ui/format";
import { Section } from "../../ui/text";
import { useAction } from "./action";

const STEPS = [
  ["10 seconds", 10_000],
  ["1 minute", 60_000],
  ["10 minutes", 600_000],
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
] as const;

interface ClockResult {
  ended: { status: string; deployment?: string; project?: string | null }[];
}

export function ClockControls() {
  const { frozen } = useLive().clock;
  const { run, isRunning, message } = useAction();
  const change = (body: object, describe: (result: ClockResult) => string) =>
    run(async () => describe(await send<ClockResult>("POST", "/clock", body)));
  const stateOf = (isFrozen: boolean) => `The clock is ${isFrozen ? "frozen" : "running"}.`;
  const freeze = () => change({ frozen: !frozen }, () => stateOf(!frozen));
  return (
    <Section title="Clock">
      <p class="hint">
        Rollouts, exports and schedules follow this clock. While it is frozen, nothing proceeds until you advance it.
      </p>
      <p class="hint">
        <strong>{stateOf(frozen)}</strong>
      </p>
      <div class="row actions">
        <Button text={frozen ? "Resume the clock" : "Freeze the clock"} disabled={isRunning} onClick={freeze} />
      </div>
      <fieldset class="row actions">
        <legend class="minor">Advance by</legend>
        {STEPS.map(([title, advance_ms]) => (
          <Button
            key={title}
            text={title}
            disabled={isRunning}
            onClick={() => change({ advance_ms }, (result) => `Advanced by ${title}: ${describeResult(result)}`)}
          />
        ))}
      </fieldset>
      {message}
    </Section>
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
