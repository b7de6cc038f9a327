import type { Context } from "../../runtime/context";
import { durations } from "../../runtime/limits";
import { keepLatest } from "./checkpoints";
import { removeThread, renewTtl, threadBySeq, ttlKind } from "./records";

/** Says what happens at the end of a thread's life (interface-notes.md section 4, `ttl`). */
export function defineTtl(context: Context): void {
  const { scheduler, store } = context;
  scheduler.registerHandler(ttlKind, ({ payload }) => {
    const thread = threadBySeq(store, Number(payload));
    if (!thread?.ttl) return;
    // Nothing is taken away from under a run; a life of 0 minutes must not be looked at for ever meanwhile.
    if (thread.status === "busy") renewTtl(scheduler, thread, durations.run.node);
    else if (thread.ttl.strategy === "delete") removeThread(context, thread);
    else keepLatest(context, thread);
  });
}
