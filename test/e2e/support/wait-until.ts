/** Waiting for a condition: looks again and again, and gives up with what was seen. */
import { setTimeout as pause } from "node:timers/promises";

const INTERVAL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Until `holds` does; `what` says what was waited for when it never does. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, describe: () => string): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${describe()}`);
    await pause(INTERVAL_MS);
  }
}
