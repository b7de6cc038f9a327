import type { Live } from "../../data/live";
import { Heading } from "../../ui/heading";
import { ClockControls } from "./clock";
import { FaultControls } from "./faults";

/** What a real platform does not let anybody do: change its time, and make it fail. */
export function Controls({ live }: { live: Live }) {
  return (
    <>
      <Heading title="Clock and faults" />
      <ClockControls live={live} />
      <FaultControls faults={live.faults} />
    </>
  );
}
