import type { Context } from "../../runtime/context";
import { durations } from "../../runtime/limits";
import { type CheckpointRecord, changeTasks, checkpointById, checkpointsOfRun, headOf } from "../threads/checkpoints";
import { changeThread, type ThreadRecord } from "../threads/records";
import { changeRun, hasEnded, type RunRecord, removeRun, runsInFlight } from "./records";
import { scheduleStep } from "./schedule";
import { writeTrace } from "./traces";

/** Ends a run, successfully unless there is an error, and continues with the next one. */
export function endRun(context: Context, thread: ThreadRecord, run: RunRecord, error?: string): void {
  finish(context, thread, run, error === undefined ? "success" : "error", error ?? null);
  goOn(context, thread, error ?? null);
}

/** Cancels a run. `rollback` also deletes it and its changes. */
export function cancelRun(
  context: Context,
  thread: ThreadRecord,
  run: RunRecord,
  action: "interrupt" | "rollback",
): void {
  if (hasEnded(run)) return;
  finish(context, thread, run, "interrupted", "Cancelled on request");
  if (action === "rollback") rollBack(context, thread, run);
  goOn(context, thread, null);
}

function finish(
  context: Context,
  thread: ThreadRecord,
  run: RunRecord,
  status: RunRecord["status"],
  error: string | null,
): void {
  const { store, scheduler, clock, notifier } = context;
  scheduler.cancel(run.id);
  changeRun(store, run, { status, error, updated_at: clock.isoNow() });
  if (run.started_at !== null) writeTrace(context, thread, run);
  store.afterCommit(() => notifier.notify(run.id));
}

/** Starts the next run; without one, sets the thread's status according to its state (interface-notes.md section 4). */
function goOn(context: Context, thread: ThreadRecord, error: string | null): void {
  const { store, scheduler } = context;
  const [next] = runsInFlight(store, thread.seq);
  if (next) {
    if (!scheduler.isScheduled(next.id)) scheduleStep(context, thread, next, durations.run.pending);
    return;
  }
  const left = (headOf(store, thread)?.next.length ?? 0) > 0;
  const status = error !== null ? "error" : left ? "interrupted" : "idle";
  changeThread(context, thread, { status, error });
}

/** Restores the state before the run. */
function rollBack(context: Context, thread: ThreadRecord, run: RunRecord): void {
  const { store } = context;
  const [first] = checkpointsOfRun(store, thread.seq, run.id);
  if (first) {
    const before = first.parent_id === null ? undefined : checkpointById(store, thread, first.parent_id);
    if (before) forgetResults(context, before);
    changeThread(context, thread, { head: before?.seq ?? null });
    store.run("DELETE FROM checkpoints WHERE thread = ? AND run_id = ?", thread.seq, run.id);
  }
  removeRun(store, run);
}

function forgetResults({ store }: Context, checkpoint: CheckpointRecord): void {
  changeTasks(
    store,
    checkpoint,
    checkpoint.tasks.map((task) => ({ ...task, result: null, error: null })),
  );
}
