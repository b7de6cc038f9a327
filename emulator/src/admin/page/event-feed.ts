import { setTimeout as sleep } from "node:timers/promises";
import type { Stream } from "../../http/route";
import type { Context } from "../../runtime/context";
import { Overview, type OverviewChange } from "./overview";

/**
 * Real milliseconds between two looks at the store: short enough to appear immediate, and rare enough to cost nothing.
 */
const INTERVAL_MS = 150;

/**
 * How much longer a pause is than the look before it, so that thousands of resources do not slow down other requests.
 */
const MIN_PAUSE_FACTOR = 8;

/** A client that is connected. */
interface Client {
  send(text: string): unknown;
  /** Ends its stream with an error. */
  fail(error: unknown): void;
}

/**
 * GET /_emulator/events: server-sent events with what changed, for as long as a client is connected. One look at the
 * store serves all clients, so that many open pages cost little more than one.
 */
export class EventFeed {
  private readonly clients = new Set<Client>();
  /** What the clients were sent; undefined while nobody watches. */
  private overview: Overview | undefined;

  constructor(private readonly context: Pick<Context, "store" | "clock" | "faults" | "secretBox">) {}

  stream(): Stream {
    return async (send, disconnected) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const client: Client = { send, fail: reject };
      disconnected.addEventListener("abort", () => resolve());
      send("retry: 1000\n\n");
      this.connect(client);
      await promise.finally(() => this.clients.delete(client));
    };
  }

  /** Sends everything, and from then on what changes. */
  private connect(client: Client): void {
    if (this.overview === undefined) {
      this.overview = new Overview(this.context);
      void this.watch(this.overview, this.look(this.overview));
    }
    client.send(eventOf(this.overview.everything()));
    this.clients.add(client);
  }

  private async watch(overview: Overview, firstDurationMs: number): Promise<void> {
    try {
      let durationMs = firstDurationMs;
      for (;;) {
        const pauseMs = Math.max(INTERVAL_MS, durationMs * MIN_PAUSE_FACTOR);
        await sleep(pauseMs, undefined, { ref: false });
        if (this.clients.size === 0) break;
        durationMs = this.look(overview);
      }
    } catch (error) {
      for (const client of this.clients) client.fail(error);
    }
    this.overview = undefined;
  }

  /** Sends what changed to all clients. Returns how many milliseconds it took. */
  private look(overview: Overview): number {
    const begin = performance.now();
    const change = overview.nextChange();
    if (change !== undefined) {
      const text = eventOf(change);
      for (const client of this.clients) client.send(text);
    }
    return performance.now() - begin;
  }
}

function eventOf(change: OverviewChange): string {
  return `data: ${JSON.stringify(change)}\n\n`;
}
