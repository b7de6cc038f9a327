/** Waits for a condition by polling. */
import { setTimeout as pause } from "node:timers/promises";

const INTERVAL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Waits until `condition` is true. @throws Error with the text of `describe` after a timeout. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, describe: () => string): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${describe()}`);
    await pause(INTERVAL_MS);
  }
}
