/** What responses contain of a run: the run itself, and its path. */
import type { ApiRequest } from "../../http/route";
import type { Context } from "../../runtime/context";
import { asObject } from "../assistants/configuration";
import { formatTime } from "../server/server-traits";
import type { ThreadRecord } from "../threads/records";
import type { RunRecord } from "./records";
import type { RunBody } from "./schemas";

/** Returns the path of a run, for Content-Location. */
export function locationOf(thread: ThreadRecord, run: RunRecord): string {
  return `/threads/${thread.id}/runs/${run.id}`;
}

/** Returns the path of a run that a request has started; without its thread if that is temporary. */
export function locationOfStarted({ params }: ApiRequest, thread: ThreadRecord, run: RunRecord): string {
  return params.thread_id === undefined ? `/runs/${run.id}` : locationOf(thread, run);
}

/** Returns what a request says about how it runs, as the server in Python stores it. */
/** Returns when a run stores its steps: at its end with `exit`. */
export const durabilityOf = ({ durability, checkpoint_during }: Pick<RunBody, "durability" | "checkpoint_during">) =>
  durability ?? (checkpoint_during === false ? "exit" : "async");

function settingsOf({ stream_mode, durability, checkpoint_during, ...request }: RunBody) {
  const effective = durabilityOf({ durability, checkpoint_during });
  return {
    stream_mode: stream_mode == null ? ["values"] : [stream_mode].flat(),
    interrupt_before: request.interrupt_before ?? null,
    interrupt_after: request.interrupt_after ?? null,
    webhook: request.webhook ?? null,
    feedback_keys: request.feedback_keys ?? null,
    ...{ resumable: request.stream_resumable ?? false, subgraphs: request.stream_subgraphs ?? false },
    ...{ durability: effective, checkpoint_during: effective !== "exit" },
  };
}

export function runResponse(context: Context, thread: ThreadRecord, run: RunRecord): Record<string, unknown> {
  const { id, assistant_id, status, metadata, request } = run;
  const { multitask_strategy, input = null, command = null } = request;
  const ids = { run_id: id, thread_id: thread.id, assistant_id, graph_id: run.graph_id };
  const configurable = { ...asObject(request.config?.configurable), ...ids };
  const config = { ...request.config, configurable, metadata };
  const kwargs = { input, command, config, context: request.context ?? {} };
  const settings = context.settings.agentServer === "python" && settingsOf(request);
  return {
    run_id: id,
    thread_id: thread.id,
    assistant_id,
    created_at: formatTime(context, run.created_at),
    updated_at: formatTime(context, run.updated_at),
    status,
    metadata,
    kwargs: { ...kwargs, ...settings },
    multitask_strategy,
  };
}
