import { parts, startThread } from "../../runtime/parts";
import { BucketError } from "../s3/client";
import type { PartitionResult, PartitionTask, WorkerRequest, WorkerResponse } from "./job";

/** Rows are short-lived; with the default, V8 keeps 100 MB of garbage before it collects. In MB. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 };

/** A worker thread that keeps the process alive only while it works. */
export class WorkerThread {
  isAlive = true;
  private readonly worker = startThread(parts.parquetWorker, { name: "parquet", resourceLimits });
  private pendingTask: { resolve(response: WorkerResponse): void; reject(error: unknown): void } | undefined;

  constructor() {
    this.worker.unref();
    this.worker.on("message", (response: WorkerResponse) => this.pendingTask?.resolve(response));
    this.worker.on("error", (error) => this.pendingTask?.reject(error));
    this.worker.on("exit", (code) => {
      this.isAlive = false;
      // For example because it ran out of memory; has no effect after an error.
      this.pendingTask?.reject(new Error(`The thread that writes Parquet files ended with code ${code}`));
    });
  }

  /** Writes one partition. Must not be called again before it resolves. */
  async write({ signal, ...task }: PartitionTask): Promise<PartitionResult> {
    const cancel = () => this.send({ cancel: true });
    signal.addEventListener("abort", cancel);
    this.worker.ref();
    try {
      const { promise, ...pendingTask } = Promise.withResolvers<WorkerResponse>();
      this.pendingTask = pendingTask;
      this.send({ start: task });
      return toResult(await promise, signal);
    } finally {
      this.worker.unref();
      signal.removeEventListener("abort", cancel);
    }
  }

  end(): void {
    this.isAlive = false;
    this.worker.terminate();
  }

  private send(request: WorkerRequest): void {
    this.worker.postMessage(request);
  }
}

function toResult(response: WorkerResponse, signal: AbortSignal): PartitionResult {
  if ("result" in response) return response.result;
  if (signal.aborted) throw signal.reason;
  if ("error" in response) throw response.error;
  const { code, status, message } = response.bucketError;
  throw new BucketError(code, status, message);
}
