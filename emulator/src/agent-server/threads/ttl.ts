import type { Context } from "../../runtime/context";
import { durations } from "../../runtime/limits";
import { keepLatest } from "./checkpoints";
import { removeThread, renewTtl, threadBySeq, ttlKind } from "./records";

/** Registers the job handler of thread expiry (interface-notes.md section 4, `ttl`). */
export function defineTtl(context: Context): void {
  const { scheduler, store } = context;
  scheduler.registerHandler(ttlKind, ({ payload }) => {
    const thread = threadBySeq(store, Number(payload));
    if (!thread?.ttl) return;
    // A busy thread is not pruned; the minimum delay avoids a loop for a TTL of 0 minutes.
    if (thread.status === "busy") renewTtl(scheduler, thread, durations.run.node);
    else if (thread.ttl.strategy === "delete") removeThread(context, thread);
    else keepLatest(context, thread);
  });
}
