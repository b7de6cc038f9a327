import { EventEmitter, once } from "node:events";
import type { PartitionResult, PartitionTask } from "./job";
import { Thread } from "./worker-thread";

export type { PartitionResult, PartitionTask } from "./job";

/** A thread uses up to 150 MB, so all exports share two, regardless of the number of cores. */
const mostThreads = 2;
/** Milliseconds after which an idle thread is stopped to free its memory. */
const idleTime = 1000;

const idle: { thread: Thread; end: NodeJS.Timeout }[] = [];
const freed = new EventEmitter().setMaxListeners(0);
let busy = 0;

/**
 * Writes the runs of one partition as one Parquet file to a bucket: one row for each run, sorted by start_time and id, in the
 * column order of tracing/columns.ts. Reads, compresses and uploads in a worker thread with bounded memory; callers wait for
 * one of two threads. The file is visible when it is complete; without rows there is none.
 * @throws BucketError if the bucket rejects a request or is unreachable; the reason of the signal if it aborts.
 */
export async function writePartition(task: PartitionTask): Promise<PartitionResult> {
  const thread = await takeThread(task.signal);
  try {
    return await thread.write(task);
  } finally {
    busy--;
    if (thread.alive) keep(thread);
    freed.emit("freed");
  }
}

async function takeThread(signal: AbortSignal): Promise<Thread> {
  signal.throwIfAborted();
  while (busy >= mostThreads) {
    await once(freed, "freed", { signal }).catch(() => signal.throwIfAborted());
  }
  busy++;
  const kept = idle.pop();
  clearTimeout(kept?.end);
  return kept?.thread ?? new Thread();
}

function keep(thread: Thread): void {
  const end = setTimeout(() => {
    idle.splice(
      idle.findIndex((one) => one.thread === thread),
      1,
    );
    thread.end();
  }, idleTime).unref();
  idle.push({ thread, end });
}
