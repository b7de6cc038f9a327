import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { BucketError } from "../s3/client";
import type { Order, Outcome, PartitionResult, PartitionTask } from "./job";

/**
 * The compiled worker is next to this file. Tests run this file from source, but a thread loads only compiled code, which
 * emulator/test/support/bulk-export/build-worker.ts keeps up to date.
 */
const workerFile = __filename.endsWith(".ts")
  ? join(__dirname, "../../../dist/bulk-export/parquet/worker.js")
  : join(__dirname, "worker.js");

/** Rows are short-lived; with the default, V8 keeps 100 MB of garbage before it collects. In MB. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** A worker thread that keeps the process alive only while it works. */
export class Thread {
  alive = true;
  private readonly worker = new Worker(workerFile, { name: "parquet", resourceLimits });
  private settle: { resolve(outcome: Outcome): void; reject(error: unknown): void } | undefined;

  constructor() {
    this.worker.unref();
    this.worker.on("message", (outcome: Outcome) => this.settle?.resolve(outcome));
    this.worker.on("error", (error) => this.settle?.reject(error));
    this.worker.on("exit", (code) => {
      this.alive = false;
      // For example because it ran out of memory; has no effect after an error.
      this.settle?.reject(new Error(`The thread that writes Parquet files ended with code ${code}`));
    });
  }

  /** Writes one partition. Must not be called again before it resolves. */
  async write({ signal, ...task }: PartitionTask): Promise<PartitionResult> {
    const cancel = () => this.tell({ cancel: true });
    signal.addEventListener("abort", cancel);
    this.worker.ref();
    try {
      const { promise, ...settle } = Promise.withResolvers<Outcome>();
      this.settle = settle;
      this.tell({ begin: task });
      return resultOf(await promise, signal);
    } finally {
      this.worker.unref();
      signal.removeEventListener("abort", cancel);
    }
  }

  end(): void {
    this.alive = false;
    this.worker.terminate();
  }

  private tell(order: Order): void {
    this.worker.postMessage(order);
  }
}

function resultOf(outcome: Outcome, signal: AbortSignal): PartitionResult {
  if ("result" in outcome) return outcome.result;
  if (signal.aborted) throw signal.reason;
  if ("error" in outcome) throw outcome.error;
  const { code, status, message } = outcome.bucketError;
  throw new BucketError(code, status, message);
}
