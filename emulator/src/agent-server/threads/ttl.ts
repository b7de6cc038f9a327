import type { Context } from "../../runtime/context";
import { durations } from "../../runtime/limits";
import { pruneHistory } from "./checkpoints";
import { deleteThreadRecord, scheduleTtl, threadBySeq, ttlKind } from "./records";

/** Registers the job handler of thread expiry (API `2B.Thread.ttl`). */
export function registerTtlJobs(context: Context): void {
  const { scheduler, store } = context;
  scheduler.registerHandler(ttlKind, ({ payload }) => {
    const thread = threadBySeq(store, Number(payload));
    if (!thread?.ttl) return;
    // A busy thread is not pruned; the minimum delay avoids a loop for a TTL of 0 minutes.
    if (thread.status === "busy") scheduleTtl(scheduler, thread, durations.run.node);
    else if (thread.ttl.strategy === "delete") deleteThreadRecord(context, thread);
    else pruneHistory(context, thread);
  });
}
