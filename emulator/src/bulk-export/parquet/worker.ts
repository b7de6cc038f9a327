/** The entry point of the worker thread, which writes one partition at a time. */
import { parentPort } from "node:worker_threads";
import { BucketError } from "../s3/client";
import type { PartitionTask, WorkerRequest, WorkerResponse } from "./job";
import { exportPartition } from "./partition";

let controller = new AbortController();

parentPort?.on("message", async (request: WorkerRequest) => {
  if ("cancel" in request) return controller.abort();
  controller = new AbortController();
  parentPort?.postMessage(await runTask({ ...request.start, signal: controller.signal }));
});

async function runTask(task: PartitionTask): Promise<WorkerResponse> {
  try {
    return { result: await exportPartition(task) };
  } catch (error) {
    if (!(error instanceof BucketError)) return { error };
    const { code, status, message } = error;
    return { bucketError: { code, status, message } };
  }
}
