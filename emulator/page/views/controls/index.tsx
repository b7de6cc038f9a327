import type { JSX } from "preact";
import type { Live } from "../../data/live";
import { ClockControls } from "./clock";
import { FaultControls } from "./faults";

/** What a real platform does not let anybody do: change its time, and make it fail. */
export function Controls({ live }: { live: Live }): JSX.Element {
  return (
    <>
      <h2>Clock and faults</h2>
      <ClockControls live={live} />
      <FaultControls faults={live.faults} />
    </>
  );
}
