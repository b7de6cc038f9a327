import { setTimeout as sleep } from "node:timers/promises";
import type { Stream } from "../../http/route";
import type { Context } from "../../runtime/context";
import { Overview } from "./overview";

/** Real milliseconds between two looks at the store: short enough to appear immediate, and rare enough to cost nothing. */
const INTERVAL_MS = 150;

/** How much longer a pause is than the look before it, so that thousands of resources do not slow down other requests. */
const MIN_PAUSE_FACTOR = 8;

/** GET /_emulator/events: server-sent events with what changed, for as long as the client is connected. */
export function streamEvents(context: Context): Stream {
  return async (send, disconnected) => {
    const overview = new Overview(context);
    let version: number | undefined;
    send("retry: 1000\n\n");
    while (!disconnected.aborted) {
      const begin = performance.now();
      const current = versionOf(context);
      if (current !== version) send(`data: ${JSON.stringify(overview.nextChange())}\n\n`);
      version = current;
      const pause = Math.max(INTERVAL_MS, (performance.now() - begin) * MIN_PAUSE_FACTOR);
      await sleep(pause, undefined, { signal: disconnected }).catch(() => {});
    }
  };
}

/** Changes with every row that this process inserts, updates or deletes. */
function versionOf({ store }: Context): number {
  return Number(store.get("SELECT total_changes() AS version")?.version);
}
