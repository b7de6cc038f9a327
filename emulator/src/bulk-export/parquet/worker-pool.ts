import { EventEmitter, once } from "node:events";
import type { PartitionResult, PartitionTask } from "./job";
import { Thread } from "./worker-thread";

export type { PartitionResult, PartitionTask } from "./job";

/** Each holds up to 150 MB while it works, so two for all exports together, however many cores there are. */
const mostThreads = 2;
/** A thread that has had nothing to do for so long ends, since it holds memory. In milliseconds. */
const idleTime = 1000;

const idle: { thread: Thread; end: NodeJS.Timeout }[] = [];
const freed = new EventEmitter().setMaxListeners(0);
let busy = 0;

/**
 * Writes the runs of one partition as one Parquet file into a bucket: a row for each run, sorted by start_time and id, with
 * the columns in the order of tracing/columns.ts. Reads, packs and uploads in another thread, in bounded memory. Two such
 * threads serve all callers; who comes later waits. The file appears when it is complete; without rows there is none.
 *
 * Throws BucketError when the bucket refuses or cannot be asked, and the reason of the signal.
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
