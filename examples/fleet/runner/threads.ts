// A thread for each stack that runs at the same time. Programs that share a thread would fail with the exceptions of
// each other, and a separate process for each program would load Pulumi each time, which takes a second of processor
// time.
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { Outcome } from "./progress.ts";
import type { Job, Report } from "./thread.ts";

// With a smaller limit, V8 collects garbage earlier: for 1,000 agents, the runner uses 0.6 GB in place of 0.8. One
// stack of 1,000 needs 0.3 GB.
const LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 };

export class Threads {
  private readonly all: Worker[] = [];
  private readonly idle: Worker[] = [];

  /** @param signal Lets the commands in progress save their running steps, and end. */
  constructor(signal: AbortSignal) {
    signal.addEventListener("abort", () => {
      for (const thread of this.all) thread.postMessage("stop");
    });
  }

  async run(job: Job, onAgent: () => void): Promise<Outcome> {
    const thread = this.idle.pop() ?? this.start();
    thread.postMessage(job);
    for await (const [report] of on(thread, "message") as AsyncIterable<[Report]>) {
      if (report === "agent") {
        onAgent();
        continue;
      }
      this.idle.push(thread);
      return report;
    }
    throw new Error("unreachable: messages have no end");
  }

  private start(): Worker {
    const thread = new Worker(new URL("thread.ts", import.meta.url), { resourceLimits: LIMITS });
    this.all.push(thread);
    return thread;
  }

  async end(): Promise<void> {
    await Promise.all(this.all.map((thread) => thread.terminate()));
  }
}
