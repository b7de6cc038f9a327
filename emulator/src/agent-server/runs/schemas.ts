import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";
import { checkpointRef } from "../schemas";

const statuses = ["pending", "running", "error", "success", "timeout", "interrupted"] as const;
const strategies = ["reject", "interrupt", "rollback", "enqueue"] as const;

export const runBody = v.object("RunCreate", {
  assistant_id: v.required(v.string({ minLength: 1 })),
  input: v.any(),
  command: v.nullable(v.anyObject()),
  metadata: v.withDefault(v.anyObject(), {}),
  config: v.nullable(v.anyObject()),
  context: v.nullable(v.anyObject()),
  checkpoint: v.nullable(checkpointRef),
  checkpoint_id: v.nullable(v.string()),
  /** What happens to the unfinished run of the thread. */
  multitask_strategy: v.enumOf(strategies),
  if_not_exists: v.withDefault(v.enumOf(["create", "reject"]), "reject"),
  /** A mode or a list of modes. */
  stream_mode: v.any(),
  /** What happens to the thread of a stateless run. */
  on_completion: v.withDefault(v.enumOf(["delete", "keep"]), "delete"),
  on_disconnect: v.withDefault(v.enumOf(["cancel", "continue"]), "continue"),
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
  status: v.required(v.enumOf(statuses)),
  metadata: v.required(v.anyObject()),
  kwargs: v.required(v.anyObject()),
  multitask_strategy: v.required(v.enumOf(strategies)),
});

const { minLimit, maxLimit, defaultLimit } = limits.threads;
export const runsQuery = {
  limit: v.withDefault(v.integer({ minimum: minLimit, maximum: maxLimit }), defaultLimit),
  offset: v.withDefault(v.integer({ minimum: 0 }), 0),
  status: v.enumOf(statuses),
};
export const cancelQuery = {
  action: v.withDefault(v.enumOf(["interrupt", "rollback"]), "interrupt"),
  wait: v.withDefault(v.boolean(), false),
};
/** Which runs to cancel: the named ones, or all unfinished ones of a status. */
export const cancelBody = v.object("RunsCancel", {
  thread_id: v.uuid(),
  run_ids: v.list(v.uuid()),
  status: v.enumOf(["pending", "running", "all"]),
});
export type CancelBody = v.Infer<typeof cancelBody>;
export const streamQuery = { stream_mode: v.list(v.string()) };
