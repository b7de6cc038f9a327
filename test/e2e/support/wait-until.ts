/** Waiting for a condition: looks again and again, and gives up with what was seen. */
import { setTimeout as pause } from "node:timers/promises";

const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 60_000;

/** Until `holds` does; `what` says what was waited for when it never does. */
export async function until(holds: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what()}`);
    await pause(LOOK_EVERY_MS);
  }
}
