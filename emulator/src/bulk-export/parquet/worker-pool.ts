import { EventEmitter, once } from "node:events";
import type { PartitionResult, PartitionTask } from "./job";
import { WorkerThread } from "./worker-thread";

export type { PartitionResult, PartitionTask } from "./job";

/** A thread uses up to 150 MB, so all exports share two, regardless of the number of cores. */
const MAX_THREADS = 2;
/** Milliseconds after which an idle thread is stopped to free its memory. */
const IDLE_TIMEOUT_MS = 1000;

const idle: { thread: WorkerThread; timer: NodeJS.Timeout }[] = [];
const releases = new EventEmitter().setMaxListeners(0);
let busy = 0;

/**
 * Writes the runs of one partition as one Parquet file to a bucket: one row for each run, sorted by `start_time` and
 * `id`, in the column order of tracing/columns.ts. Reads, compresses and uploads in a worker thread with bounded
 * memory; callers wait for one of two threads. The file is visible when it is complete; without rows there is none.
 * @throws BucketError if the bucket rejects a request or is unreachable; the reason of the signal if it aborts.
 */
export async function writePartition(task: PartitionTask): Promise<PartitionResult> {
  const thread = await acquireThread(task.signal);
  try {
    return await thread.write(task);
  } finally {
    busy--;
    if (thread.isAlive) release(thread);
    releases.emit("freed");
  }
}

async function acquireThread(signal: AbortSignal): Promise<WorkerThread> {
  signal.throwIfAborted();
  while (busy >= MAX_THREADS) {
    await once(releases, "freed", { signal }).catch(() => signal.throwIfAborted());
  }
  busy++;
  const idleThread = idle.pop();
  clearTimeout(idleThread?.timer);
  return idleThread?.thread ?? new WorkerThread();
}

function release(thread: WorkerThread): void {
  const timer = setTimeout(() => {
    idle.splice(
      idle.findIndex((entry) => entry.thread === thread),
      1,
    );
    thread.end();
  }, IDLE_TIMEOUT_MS).unref();
  idle.push({ thread, timer });
}
