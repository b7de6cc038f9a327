import { limits } from "../limits";
import {
  any,
  byDefault,
  datetime,
  free,
  type Infer,
  integer,
  list,
  nullable,
  object,
  oneOf,
  required,
  string,
  uuid,
} from "../validation/schema";
import { checkpointRef } from "./schemas";

const statuses = ["pending", "running", "error", "success", "timeout", "interrupted"] as const;
const strategies = ["reject", "interrupt", "rollback", "enqueue"] as const;

export const runBody = object("RunCreate", {
  assistant_id: required(string({ minLength: 1 })),
  input: any(),
  command: nullable(free()),
  metadata: byDefault(free(), {}),
  config: nullable(free()),
  checkpoint: nullable(checkpointRef),
  checkpoint_id: nullable(string()),
  /** What happens to a run that is in flight on the thread. */
  multitask_strategy: byDefault(oneOf(strategies), "enqueue"),
  if_not_exists: byDefault(oneOf(["create", "reject"]), "reject"),
  /** A word or a list of them. */
  stream_mode: any(),
  on_disconnect: byDefault(oneOf(["cancel", "continue"]), "continue"),
  /** Names of nodes, or `*` for all. */
  interrupt_before: any(),
  interrupt_after: any(),
});
export type RunBody = Infer<typeof runBody>;

export const run = object("Run", {
  run_id: required(uuid()),
  thread_id: required(uuid()),
  assistant_id: required(uuid()),
  created_at: required(datetime()),
  updated_at: required(datetime()),
  status: required(oneOf(statuses)),
  metadata: required(free()),
  kwargs: required(free()),
  multitask_strategy: required(oneOf(strategies)),
});

const { minLimit, maxLimit, defaultLimit } = limits.threads;
export const runsQuery = {
  limit: byDefault(integer({ minimum: minLimit, maximum: maxLimit }), defaultLimit),
  offset: byDefault(integer({ minimum: 0 }), 0),
  status: oneOf(statuses),
};
export const cancelQuery = { action: byDefault(oneOf(["interrupt", "rollback"]), "interrupt") };
export const streamQuery = { stream_mode: list(string()) };
