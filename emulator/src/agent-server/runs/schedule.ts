import type { Context } from "../../runtime/context";
import type { ThreadRecord } from "../threads/records";
import type { RunRecord } from "./records";

/** The due jobs of runs. */
export const runKind = "run-step";

/** The next step of a run. */
export function scheduleStep({ jobs }: Context, thread: ThreadRecord, run: RunRecord, afterMs: number): void {
  jobs.schedule(afterMs, { kind: runKind, subject: run.id, owner: thread.deployment_id });
}
