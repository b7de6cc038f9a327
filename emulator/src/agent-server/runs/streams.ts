import type { ApiRequest, ApiResponse, Stream } from "../../http/route";
import type { Context } from "../../runtime/context";
import type { Agent } from "../auth";
import { checkpointsOfRun, latestCheckpoint } from "../threads/checkpoints";
import { deleteThreadRecord, type ThreadRecord, threadBySeq } from "../threads/records";
import { cancelRun } from "./finish-run";
import { hasEnded, type RunRecord, runById } from "./records";
import { locationOf, locationOfStarted } from "./responses";
import { requireRun, startRun } from "./runs";
import type { RunBody } from "./schemas";

/** The stream modes that produce events; all others are accepted without effect. */
const producedModes = ["values", "updates"];

/** POST /threads/{thread_id}/runs/wait and POST /runs/wait: responds with the final state when the run has ended. */
export function waitForRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const cancelsOnDisconnect = (request.body as RunBody).on_disconnect === "cancel";
  return respondWhenFinished({ context, request, ...startRun(context, agent, request), cancelsOnDisconnect });
}

/** GET /threads/{thread_id}/runs/{run_id}/join: the same for an existing run. */
export function joinRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return respondWhenFinished({ context, request, ...requireRun(context, agent, request), cancelsOnDisconnect: false });
}

/**
 * POST /threads/{thread_id}/runs/stream and POST /runs/stream: server-sent events from the first checkpoint to the
 * last.
 */
export function streamRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const started = startRun(context, agent, request);
  const { stream_mode, on_disconnect } = request.body as RunBody;
  const followed = { context, request, ...started, cancelsOnDisconnect: on_disconnect === "cancel" };
  return streamEvents(followed, streamModes(request, stream_mode));
}

/** GET /threads/{thread_id}/runs/{run_id}/stream: the same for an existing run; nothing for one that has ended. */
export function joinStream(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ stream_mode?: string[] }>,
): ApiResponse {
  const followed = { context, request, ...requireRun(context, agent, request), cancelsOnDisconnect: false };
  return streamEvents(followed, streamModes(request, request.query.stream_mode));
}

/** A run whose client waits for what happens. */
interface FollowedRun {
  request: ApiRequest;
  context: Context;
  thread: ThreadRecord;
  run: RunRecord;
  cancelsOnDisconnect: boolean;
}

function streamModes(request: ApiRequest, mode: unknown): string[] {
  const values = [mode ?? []].flat().map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
  // Some clients send an empty mode for the default.
  const nonEmpty = values.filter((word) => word !== "");
  const modes = nonEmpty.length > 0 ? nonEmpty : ["values"];
  const unsupported = modes.filter((word) => !producedModes.includes(word));
  if (unsupported.length > 0) request.addNote(`stream_mode ${unsupported.join(", ")} produces no events`);
  return modes;
}

function respondWhenFinished(followed: FollowedRun): ApiResponse {
  const { context, thread } = followed;
  const isPython = context.settings.agentServer === "python";
  const type = isPython ? "application/json" : "text/plain; charset=UTF-8";
  const headers = { "content-type": type, ...locationHeaders(followed, "join") };
  const stream: Stream = async (send, disconnected) => {
    const finishedRun = await followRun(followed, disconnected, () => {});
    if (disconnected.aborted) return deleteTemporary(followed);
    const now = threadBySeq(context.store, thread.seq);
    const values = (now && latestCheckpoint(context.store, now)?.state) ?? {};
    const interrupts = interruptsOf(context, finishedRun);
    const interrupted = interrupts.length > 0 && { ...(isPython && values), __interrupt__: interrupts };
    deleteTemporary(followed);
    send(JSON.stringify(finishedRun?.error ? { __error__: errorOf(finishedRun) } : interrupted || values));
  };
  return { status: 200, headers, stream };
}

/** Deletes the thread of a stateless run that has ended. */
function deleteTemporary({ context, request, run }: FollowedRun): void {
  const isKept = request.params.thread_id !== undefined || (request.body as RunBody).on_completion === "keep";
  context.store.transaction(() => {
    const ended = runById(context.store, run.id);
    const thread = ended && hasEnded(ended) && !isKept ? threadBySeq(context.store, ended.thread) : undefined;
    if (thread) deleteThreadRecord(context, thread);
  });
}

function streamEvents(followed: FollowedRun, modes: string[]): ApiResponse {
  const { context, request, thread, run } = followed;
  const isPython = context.settings.agentServer === "python";
  const type = isPython ? "text/event-stream; charset=utf-8" : "text/event-stream";
  const headers = { "content-type": type, "cache-control": "no-store", ...locationHeaders(followed, "stream") };
  const stream: Stream = async (send, disconnected) => {
    const sendEvent = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (request.params.run_id !== undefined && hasEnded(run)) return;
    let last = 0;
    sendEvent("metadata", { run_id: run.id, attempt: 1 });
    const finishedRun = await followRun(followed, disconnected, () => {
      for (const { seq, metadata, state } of checkpointsOfRun(context.store, thread.seq, run.id, last)) {
        last = seq;
        if (metadata.source === "input") continue;
        if (modes.includes("updates") && metadata.writes) sendEvent("updates", metadata.writes);
        if (modes.includes("values")) sendEvent("values", state);
      }
    });
    if (disconnected.aborted) return;
    const interrupts = interruptsOf(context, finishedRun);
    if (interrupts.length > 0 && modes.includes("updates")) sendEvent("updates", { __interrupt__: interrupts });
    if (finishedRun?.error) sendEvent("error", errorOf(finishedRun));
  };
  return { status: 200, headers, stream };
}

/** Where the run is, and in Python where its result is. JavaScript leaves them out for a run that exists. */
function locationHeaders(
  { context, request, thread, run }: FollowedRun,
  suffix: "join" | "stream",
): Record<string, string> {
  const isStarted = request.params.run_id === undefined;
  if (context.settings.agentServer === "javascript")
    return isStarted ? { "content-location": locationOfStarted(request, thread, run) } : {};
  const location = suffix === "stream" ? locationOfStarted(request, thread, run) : locationOf(thread, run);
  return { "content-location": location, location: `${location}/${suffix}` };
}

/**
 * Calls `onChange` whenever a run changes, until it has ended or the client disconnects. Returns undefined for a
 * deleted run.
 */
async function followRun(
  { context, run: { id }, cancelsOnDisconnect }: FollowedRun,
  disconnected: AbortSignal,
  onChange: () => void,
): Promise<RunRecord | undefined> {
  for (;;) {
    const run = runById(context.store, id);
    onChange();
    if (!run || hasEnded(run)) return run;
    await context.notifier.waitFor(id, disconnected);
    if (!disconnected.aborted) continue;
    // The stop of the emulator is not a disconnect: the run continues on the next start.
    if (cancelsOnDisconnect && !context.notifier.closed) cancelAbandonedRun(context, id);
    return undefined;
  }
}

/** Implements `on_disconnect: cancel`. */
function cancelAbandonedRun(context: Context, id: string): void {
  context.store.transaction(() => {
    const run = runById(context.store, id);
    const thread = run && threadBySeq(context.store, run.thread);
    if (thread) cancelRun(context, thread, run, "interrupt");
  });
  context.scheduler.startTimer();
}

/** Returns the interrupts of a run whose last node asked for input. */
function interruptsOf({ store }: Context, run: RunRecord | undefined) {
  const last = run?.spans.at(-1);
  const thread = run && last?.output === null && last.error === null ? threadBySeq(store, run.thread) : undefined;
  const tasks = (thread && latestCheckpoint(store, thread)?.tasks) ?? [];
  return tasks.flatMap(({ interrupts }) => interrupts);
}

function errorOf({ error }: RunRecord) {
  return { error: "GraphError", message: error };
}
