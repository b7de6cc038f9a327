import type { Context } from "../../runtime/context";
import type { ThreadRecord } from "../threads/records";
import type { RunRecord } from "./records";

/** The kind of the jobs that execute runs. */
export const runKind = "run-step";

/** Schedules the next step of a run. */
export function scheduleStep({ scheduler }: Context, thread: ThreadRecord, run: RunRecord, afterMs: number): void {
  scheduler.schedule(afterMs, { kind: runKind, subject: run.id, owner: thread.deployment_id });
}
