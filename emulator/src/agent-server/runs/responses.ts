/** What responses contain of a run: the run itself, and its path. */
import type { ApiRequest } from "../../http/route";
import type { Context } from "../../runtime/context";
import { formatTime } from "../server-traits";
import type { ThreadRecord } from "../threads/records";
import type { RunRecord } from "./records";

/** Returns the path of a run, for Content-Location. */
export function locationOf(thread: ThreadRecord, run: RunRecord): string {
  return `/threads/${thread.id}/runs/${run.id}`;
}

/** Returns the path of a run that a request has started; without its thread if that is temporary. */
export function locationOfStarted({ params }: ApiRequest, thread: ThreadRecord, run: RunRecord): string {
  return params.thread_id === undefined ? `/runs/${run.id}` : locationOf(thread, run);
}

export function runResponse(context: Context, thread: ThreadRecord, run: RunRecord): Record<string, unknown> {
  const { id, assistant_id, status, metadata, request } = run;
  const { multitask_strategy, input = null, command = null } = request;
  const kwargs = { input, command, config: request.config ?? {}, context: request.context ?? {} };
  return {
    run_id: id,
    thread_id: thread.id,
    assistant_id,
    created_at: formatTime(context, run.created_at),
    updated_at: formatTime(context, run.updated_at),
    status,
    metadata,
    kwargs,
    multitask_strategy,
  };
}
