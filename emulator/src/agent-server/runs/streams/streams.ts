import type { ApiRequest, ApiResponse, Stream } from "../../../http/route";
import type { Context } from "../../../runtime/context";
import type { Agent } from "../../requests/auth";
import { lastCheckpointOf, latestCheckpoint } from "../../threads/checkpoints";
import { deleteThreadRecord, type ThreadRecord, threadBySeq } from "../../threads/records";
import { requireThread } from "../../threads/threads";
import { cancelRun } from "../execution/finish-run";
import { hasEnded, type RunRecord, runById } from "../records";
import { locationOf, locationOfStarted } from "../responses";
import { findRun, startRun } from "../runs";
import { isSet, type JoinQuery, type RunBody, type StreamQuery } from "../schemas";
import { isCancellation, threadError } from "../thread-error";
import { errorOf, eventId, eventReader, interruptsOf, isAfter, isOfModes, modesOf } from "./stream-events";

/** Stream modes that produce no events: built-in graphs write none of their own, and use no tools. */
const silentModes = ["custom", "tools"];

/** POST /threads/{thread_id}/runs/wait and POST /runs/wait: responds with the final state when the run has ended. */
export function waitForRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const isPython = context.settings.agentServer === "python";
  // The server in JavaScript does not notice that a client stops to wait.
  const cancelsOnDisconnect = isPython && (request.body as RunBody).on_disconnect === "cancel";
  return respondWhenFinished({ context, request, ...startRun(context, agent, request), cancelsOnDisconnect });
}

/** GET /threads/{thread_id}/runs/{run_id}/join: the same for an existing run. */
export function joinRun(context: Context, agent: Agent, request: ApiRequest<JoinQuery>): ApiResponse {
  const found = findRun(context, agent, request);
  if (!found) return unknownRun(context, agent, request, "join");
  return respondWhenFinished({
    context,
    request,
    ...found,
    cancelsOnDisconnect: isSet(request.query.cancel_on_disconnect),
  });
}

/**
 * POST /threads/{thread_id}/runs/stream and POST /runs/stream: server-sent events from the first checkpoint to the
 * last.
 */
export function streamRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const started = startRun(context, agent, request);
  const cancelsOnDisconnect = (request.body as RunBody).on_disconnect === "cancel";
  noteModes(request, modesOf(started.run));
  return streamEvents({ context, request, ...started, cancelsOnDisconnect });
}

/**
 * GET /threads/{thread_id}/runs/{run_id}/stream: the same for an existing run. Nothing for one that has ended, unless
 * it is resumable and the client says which event it has.
 */
export function joinStream(context: Context, agent: Agent, request: ApiRequest<StreamQuery>): ApiResponse {
  const found = findRun(context, agent, request);
  if (!found) return unknownRun(context, agent, request, "stream");
  const cancelsOnDisconnect = isSet(request.query.cancel_on_disconnect);
  const followed = { context, request, ...found, cancelsOnDisconnect };
  const lastId = request.header("last-event-id") || undefined;
  const modes = context.settings.agentServer === "python" ? namedModes(request.query) : [];
  noteModes(request, modes);
  return streamEvents(followed, { modes, ...(found.run.request.stream_resumable && { lastId }) });
}

/**
 * Published servers have sent the status when they look for the run, so its absence is a result. @throws ApiError 404
 * where the server in JavaScript looks for the thread first.
 */
function unknownRun(context: Context, agent: Agent, request: ApiRequest, suffix: "join" | "stream"): ApiResponse {
  const isPython = context.settings.agentServer === "python";
  if (!isPython && suffix === "join") requireThread(context, agent, request);
  const { thread_id, run_id } = request.params;
  if (thread_id === undefined) return { status: 200, headers: streamHeaders(isPython), stream: async () => {} };
  const location = `/threads/${thread_id}/runs/${run_id}`;
  const headers = isPython && { "content-location": location, location: `${location}/${suffix}` };
  const message = "Run not found";
  const ofPython = { error: "HTTPException", message: `404: ${message}` };
  const __error__ = isPython ? ofPython : { error: "Error", message: JSON.stringify(message) };
  if (suffix === "join") return { status: 200, headers: { ...headers }, body: { __error__ } };
  const event = `event: error\ndata: ${JSON.stringify(isPython ? ofPython : message)}\n\n`;
  return { status: 200, headers: { ...streamHeaders(isPython), ...headers }, stream: async (send) => send(event) };
}

export const streamHeaders = (isPython: boolean) => ({
  "content-type": isPython ? "text/event-stream; charset=utf-8" : "text/event-stream",
  "cache-control": "no-store",
});

/** Returns the modes of a query: one, or as clients send several, a list in JSON. */
function namedModes({ stream_mode: text = "" }: StreamQuery): string[] {
  if (!text.startsWith("[")) return text === "" ? [] : [text];
  try {
    return (JSON.parse(text) as unknown[]).map(String);
  } catch {
    return [text];
  }
}

function noteModes({ addNote }: ApiRequest, modes: readonly string[]): void {
  const unsupported = modes.filter((word) => silentModes.includes(word));
  if (unsupported.length > 0) addNote(`stream_mode ${unsupported.join(", ")} produces no events`);
}

/** A run whose client waits for what happens. */
interface FollowedRun {
  request: ApiRequest;
  context: Context;
  thread: ThreadRecord;
  run: RunRecord;
  cancelsOnDisconnect: boolean;
}

function respondWhenFinished(followed: FollowedRun): ApiResponse {
  const { context, thread } = followed;
  const isPython = context.settings.agentServer === "python";
  const type = isPython ? "application/json" : "text/plain; charset=UTF-8";
  const headers = { "content-type": type, ...locationHeaders(followed, "join") };
  const stream: Stream = async (send, disconnected) => {
    if (hasEnded(followed.run)) return send(JSON.stringify(resultOfThread(context, thread)));
    const finishedRun = await followRun(followed, disconnected, () => {});
    if (disconnected.aborted) return deleteTemporary(followed);
    const now = threadBySeq(context.store, thread.seq);
    const values = (now && lastCheckpointOf(context.store, now, followed.run.id)?.state) ?? {};
    const interrupts = now && finishedRun ? interruptsOf(context, now, finishedRun) : [];
    const interrupted = interrupts.length > 0 && { ...(isPython && values), __interrupt__: interrupts };
    deleteTemporary(followed);
    const __error__ = finishedRun && errorOf(finishedRun);
    send(JSON.stringify(__error__ ? { __error__ } : interrupted || values));
  };
  return { status: 200, headers, stream };
}

/** Returns what a client gets that waits for a run that has ended: the thread as it is now. */
function resultOfThread({ store, settings }: Context, thread: ThreadRecord): unknown {
  const { state = {}, tasks = [] } = latestCheckpoint(store, thread) ?? {};
  const { error: message } = thread;
  if (settings.agentServer === "javascript") return state;
  if (message !== null && !isCancellation(message)) return { __error__: threadError(message) };
  const __interrupt__ = tasks.flatMap(({ interrupts }) => interrupts);
  return __interrupt__.length > 0 ? { __interrupt__ } : state;
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

/** Sends the events after the last one that the client has. @param modes Which ones; none is all of the run. */
function streamEvents(
  followed: FollowedRun,
  { lastId, modes = [] }: { lastId?: string | undefined; modes?: string[] } = {},
): ApiResponse {
  const { context, request, thread, run } = followed;
  const isPython = context.settings.agentServer === "python";
  const headers = { ...streamHeaders(isPython), ...locationHeaders(followed, "stream") };
  // The server in JavaScript numbers the events, except those of a run without a thread as it starts.
  const { thread_id, run_id } = request.params;
  const hasIds = isPython ? run.request.stream_resumable === true : (thread_id ?? run_id) !== undefined;
  const stream: Stream = async (send, disconnected) => {
    const read = eventReader(context, thread);
    let position = 0;
    const sendNew = (changed: RunRecord) => {
      for (const { name, data } of read(changed)) {
        const id = eventId(context, changed, position++);
        const isNew = lastId === undefined || isAfter(context, id, lastId);
        if (!isNew || (modes.length > 0 && !isOfModes(name, modes))) continue;
        send(`${hasIds ? `id: ${id}\n` : ""}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      }
    };
    if (!hasEnded(run) || lastId !== undefined) await followRun(followed, disconnected, sendNew);
  };
  return { status: 200, headers, stream };
}

/** Where the run is, and in Python where its result is. JavaScript leaves them out for a run that exists. */
function locationHeaders(
  { context, request, thread, run }: FollowedRun,
  suffix: "join" | "stream",
): Record<string, string> {
  const isKnown = request.params.thread_id !== undefined && request.params.run_id !== undefined;
  if (context.settings.agentServer === "javascript")
    return isKnown ? {} : { "content-location": locationOfStarted(request, thread, run) };
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
  onChange: (run: RunRecord) => void,
): Promise<RunRecord | undefined> {
  for (;;) {
    const run = runById(context.store, id);
    if (run) onChange(run);
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
    if (thread) cancelRun(context, thread, run, { action: "interrupt" });
  });
  context.scheduler.startTimer();
}
