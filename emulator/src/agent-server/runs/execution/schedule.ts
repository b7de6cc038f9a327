import type { Context } from "../../../runtime/context";
import { durations } from "../../../runtime/limits";
import type { ThreadRecord } from "../../threads/records";
import { earliestStartOf, type RunRecord } from "../records";

/** The kind of the jobs that execute runs. */
export const runKind = "run-step";

/** Schedules the start of a run, which may have to wait for its time. */
export function scheduleStart(context: Context, thread: ThreadRecord, run: RunRecord): void {
  const waitMs = Math.max(earliestStartOf(run) - context.clock.now(), 0);
  scheduleStep(context, thread, run, durations.run.pending + waitMs);
}

/** Schedules the next step of a run. */
export function scheduleStep({ scheduler }: Context, thread: ThreadRecord, run: RunRecord, afterMs: number): void {
  scheduler.schedule(afterMs, { kind: runKind, subject: run.id, owner: thread.deployment_id });
}
