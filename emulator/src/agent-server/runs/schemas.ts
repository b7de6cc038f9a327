import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";
import { checkpointRef } from "../schemas";

const statuses = ["pending", "running", "error", "success", "timeout", "interrupted"] as const;
const strategies = ["reject", "interrupt", "rollback", "enqueue"] as const;

export const runBody = v.object("RunCreate", {
  assistant_id: v.required(v.string({ minLength: 1 })),
  input: v.any(),
  command: v.nullable(v.free()),
  metadata: v.byDefault(v.free(), {}),
  config: v.nullable(v.free()),
  checkpoint: v.nullable(checkpointRef),
  checkpoint_id: v.nullable(v.string()),
  /** What happens to a run that is in flight on the thread. */
  multitask_strategy: v.byDefault(v.oneOf(strategies), "enqueue"),
  if_not_exists: v.byDefault(v.oneOf(["create", "reject"]), "reject"),
  /** A word or a list of them. */
  stream_mode: v.any(),
  /** What becomes of the thread of a run that names none. */
  on_completion: v.byDefault(v.oneOf(["delete", "keep"]), "delete"),
  on_disconnect: v.byDefault(v.oneOf(["cancel", "continue"]), "continue"),
  /** Names of nodes, or `*` for all. */
  interrupt_before: v.any(),
  interrupt_after: v.any(),
});
export type RunBody = v.Infer<typeof runBody>;

export const run = v.object("Run", {
  run_id: v.required(v.uuid()),
  thread_id: v.required(v.uuid()),
  assistant_id: v.required(v.uuid()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
  status: v.required(v.oneOf(statuses)),
  metadata: v.required(v.free()),
  kwargs: v.required(v.free()),
  multitask_strategy: v.required(v.oneOf(strategies)),
});

const { minLimit, maxLimit, defaultLimit } = limits.threads;
export const runsQuery = {
  limit: v.byDefault(v.integer({ minimum: minLimit, maximum: maxLimit }), defaultLimit),
  offset: v.byDefault(v.integer({ minimum: 0 }), 0),
  status: v.oneOf(statuses),
};
export const cancelQuery = { action: v.byDefault(v.oneOf(["interrupt", "rollback"]), "interrupt") };
/** Which runs to cancel: those named, or all in flight of a status. */
export const cancelBody = v.object("RunsCancel", {
  thread_id: v.uuid(),
  run_ids: v.list(v.uuid()),
  status: v.oneOf(["pending", "running", "all"]),
});
export type CancelBody = v.Infer<typeof cancelBody>;
export const streamQuery = { stream_mode: v.list(v.string()) };
