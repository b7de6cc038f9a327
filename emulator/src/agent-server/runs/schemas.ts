import type { RouteSettings } from "../../http/feature";
import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";
import { checkpointRef, optional } from "../schemas";

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
  /** The stream has the events of subgraphs, too. */
  stream_subgraphs: v.boolean(),
  /** A client that lost the stream can continue it after the last event that it has. */
  stream_resumable: v.boolean(),
  /** Seconds before the run starts. */
  after_seconds: v.number(),
  webhook: v.string({ minLength: 1, maxLength: limits.crons.maxWebhookLength }),
  /** When steps are stored; it was once `checkpoint_during`. The server in JavaScript stores each one at once. */
  durability: v.any(),
  checkpoint_during: v.boolean(),
  /** Accepted without effect, as is the field below: nothing is scored. */
  feedback_keys: v.list(v.string()),
  langsmith_tracer: v.anyObject(),
  /** What happens to the thread of a stateless run. */
  on_completion: v.withDefault(v.enumOf(["delete", "keep"]), "delete"),
  on_disconnect: v.withDefault(v.enumOf(["cancel", "continue"]), "continue"),
  /** Names of nodes, or `*` for all. */
  interrupt_before: v.any(),
  interrupt_after: v.any(),
});
export type RunBody = v.Infer<typeof runBody>;
/** The published SDK for JavaScript also sends its own name of a field. */
export const batchBody = v.list(v.object("BatchRunCreate", { ...runBody.fields, assistantId: v.any() }));

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

const runFieldNames = [...Object.keys(run.fields), "langsmith_session_name"];
type Server = Pick<RouteSettings, "agentServer">;
export const runsQuery = ({ agentServer }: Server) => ({
  limit: v.withDefault(v.integer({ minimum: 0 }), limits.threads.defaultLimit),
  offset: v.withDefault(v.integer({ minimum: 0 }), 0),
  /** Runs of any other status are none. */
  status: v.string(),
  /** The server in JavaScript ignores it. */
  select: agentServer === "python" ? v.list(v.enumOf(runFieldNames)) : v.list(v.string()),
});
/** A run in a list; `select` may omit any of its fields. */
export const listedRun = v.object("ListedRun", optional(run.fields));
/** The server in Python takes any text that is not true for false, and any other action for an interrupt. */
const flag = ({ agentServer }: Server) =>
  agentServer === "python" ? v.withDefault(v.string(), "") : v.withDefault(v.boolean(), false);
export const isSet = (value: string | boolean) => /^(true|yes|1)$/i.test(String(value));
export const cancelQuery = (settings: Server) => ({
  action: v.withDefault(
    settings.agentServer === "python" ? v.string() : v.enumOf(["interrupt", "rollback"]),
    "interrupt",
  ),
  wait: flag(settings),
});
export type CancelQuery = v.InferFields<ReturnType<typeof cancelQuery>>;
/** Which runs to cancel: the named ones, or all unfinished ones of a status. */
export const cancelBody = v.object("RunsCancel", {
  thread_id: v.uuid(),
  run_ids: v.list(v.uuid()),
  status: v.enumOf(["pending", "running", "all"]),
});
export type CancelBody = v.Infer<typeof cancelBody>;
export const joinQuery = (settings: Server) => ({ cancel_on_disconnect: flag(settings) });
export type JoinQuery = v.InferFields<ReturnType<typeof joinQuery>>;
/** The server in JavaScript ignores the mode. In Python, it is one, or a list in JSON. */
export const streamQuery = (settings: Server) => ({ ...joinQuery(settings), stream_mode: v.string() });
export type StreamQuery = v.InferFields<ReturnType<typeof streamQuery>>;
/** `stream_modes` is a list with commas. Clients send `stream_mode`, which has no effect. */
export const threadStreamQuery = { stream_modes: v.string(), stream_mode: v.list(v.string()) };
