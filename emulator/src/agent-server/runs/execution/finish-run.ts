import type { Context } from "../../../runtime/context";
import {
  type CheckpointRecord,
  checkpointById,
  checkpointsOfRun,
  keepLastOf,
  latestCheckpoint,
  updateTasks,
} from "../../threads/checkpoints";
import { type ThreadRecord, updateThread } from "../../threads/records";
import { deleteRunRecord, hasEnded, type RunRecord, runsInFlight, updateRun } from "../records";
import { type CancelAction, cancellationText } from "../thread-error";
import { scheduleStart } from "./schedule";
import { writeTrace } from "./traces";
import { callWebhook } from "./webhooks";

/** Ends a run, successfully unless there is an error, and continues with the next one. */
export function endRun(context: Context, thread: ThreadRecord, run: RunRecord, error?: string): void {
  setFinalStatus(context, thread, run, { status: error === undefined ? "success" : "error", error: error ?? null });
  startNextRun(context, thread, error ?? null);
}

/** Cancels a run. `rollback` also deletes it and its changes. @param path That of the request which cancels it. */
export function cancelRun(
  context: Context,
  thread: ThreadRecord,
  run: RunRecord,
  { action, path }: { action: CancelAction; path?: string },
): void {
  if (hasEnded(run)) return;
  const wasRunning = run.status === "running";
  setFinalStatus(context, thread, run, { status: "interrupted", error: "Cancelled on request" });
  if (action === "rollback") rollBack(context, thread, run);
  startNextRun(context, thread, null, context.settings.agentServer === "python");
  if (!wasRunning || path === undefined || thread.status === "busy") return;
  const status = action === "rollback" ? "idle" : thread.status;
  updateThread(context, thread, { status, error: cancellationText(action, path) });
}

function setFinalStatus(
  context: Context,
  thread: ThreadRecord,
  run: RunRecord,
  outcome: Pick<RunRecord, "status" | "error">,
): void {
  const { store, scheduler, clock, notifier } = context;
  scheduler.cancel(run.id);
  updateRun(store, run, { ...outcome, updated_at: clock.isoNow() });
  keepLastOf(store, thread, run.id);
  if (run.started_at !== null) writeTrace(context, thread, run);
  callWebhook(context, thread, run);
  store.afterCommit(() => notifier.notify(run.id, thread.id));
}

/**
 * Starts the next run; without one, sets the thread's status according to its state (API `3.Thread status:order`). The
 * server in JavaScript does not read it after a run is cancelled.
 */
function startNextRun(context: Context, thread: ThreadRecord, error: string | null, readsState = true): void {
  const { store, scheduler } = context;
  const [next] = runsInFlight(store, thread.seq);
  if (next) {
    if (!scheduler.isScheduled(next.id)) scheduleStart(context, thread, next);
    return;
  }
  const hasRemainingNodes = readsState && (latestCheckpoint(store, thread)?.next.length ?? 0) > 0;
  const status = error !== null ? "error" : hasRemainingNodes ? "interrupted" : "idle";
  updateThread(context, thread, { status, error });
}

/** Deletes a run, and restores the state before it. */
export function rollBack(context: Context, thread: ThreadRecord, run: RunRecord): void {
  const { store } = context;
  const [first] = checkpointsOfRun(store, thread.seq, run.id);
  if (first) {
    const previous = first.parent_id === null ? undefined : checkpointById(store, thread, first.parent_id);
    if (previous) clearResults(context, previous);
    updateThread(context, thread, { head: previous?.seq ?? null });
    store.run("DELETE FROM checkpoints WHERE thread = ? AND run_id = ?", thread.seq, run.id);
  }
  deleteRunRecord(store, run);
}

function clearResults({ store }: Context, checkpoint: CheckpointRecord): void {
  updateTasks(
    store,
    checkpoint,
    checkpoint.tasks.map((task) => ({ ...task, result: null, error: null })),
  );
}
