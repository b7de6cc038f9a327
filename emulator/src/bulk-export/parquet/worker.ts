/** The entry point of the worker thread, which writes one partition at a time. */
import { parentPort } from "node:worker_threads";
import { BucketError } from "../s3/client";
import type { Order, Outcome, PartitionTask } from "./job";
import { exportPartition } from "./partition";

let controller = new AbortController();

parentPort?.on("message", async (order: Order) => {
  if ("cancel" in order) return controller.abort();
  controller = new AbortController();
  parentPort?.postMessage(await outcomeOf({ ...order.begin, signal: controller.signal }));
});

async function outcomeOf(task: PartitionTask): Promise<Outcome> {
  try {
    return { result: await exportPartition(task) };
  } catch (error) {
    if (!(error instanceof BucketError)) return { error };
    const { code, status, message } = error;
    return { bucketError: { code, status, message } };
  }
}
