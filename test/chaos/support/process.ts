import type { Platform } from "../../support/platform";

/** The operating system's process of one Pulumi run, which may die at any of its requests. */
export class MortalProcess implements Pick<Platform, "clock" | "url"> {
  readonly url: string;
  readonly clock: Platform["clock"];
  /** Resolves when the process dies. */
  readonly death: Promise<"dead">;
  private die: () => void = () => {};
  private isDead = false;
  private requests = 0;
  private readonly inFlight: AbortController[] = [];

  /** @param diesAt The request, counted from 1, at which it dies; it lives when absent. @param acts Whether that is sent. */
  constructor(platform: Platform, diesAt: number | undefined, acts: boolean) {
    this.url = platform.url;
    this.death = new Promise((resolve) => {
      this.die = () => {
        this.isDead = true;
        for (const request of this.inFlight) request.abort(new DOMException("the process died", "TimeoutError"));
        resolve("dead");
      };
    });
    this.clock = {
      now: platform.clock.now,
      monotonic: platform.clock.monotonic,
      // What the process still wanted to do ends here: what it shares with the next one in this test must come free.
      sleep: async (milliseconds) => {
        if (!this.isDead) await platform.clock.sleep(milliseconds);
        if (this.isDead) throw new Error("the process died");
      },
      deadline: () => {
        const request = new AbortController();
        this.inFlight.push(request);
        this.requests += 1;
        if (this.requests === diesAt && acts) setTimeout(this.die, 15);
        else if (this.requests === diesAt) this.die();
        if (this.isDead) request.abort(new DOMException("the process died", "TimeoutError"));
        return request.signal;
      },
    };
  }
}

const IDLE_MS = 60;

/** Waits until the server has finished no request for a while. */
export async function untilServerIsIdle({ emulator }: Pick<Platform, "emulator">): Promise<void> {
  for (let finished = -1; finished !== emulator.journal.entries().length; ) {
    finished = emulator.journal.entries().length;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  }
}
