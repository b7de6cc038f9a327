import type { ApiRequest, ApiResponse, Stream } from "../../http/route";
import type { Context } from "../../runtime/context";
import type { Agent } from "../auth";
import { checkpointsOfRun, headOf } from "../threads/checkpoints";
import { type ThreadRecord, threadBySeq } from "../threads/records";
import { cancelRun } from "./finish-run";
import { hasEnded, type RunRecord, runById } from "./records";
import { locationOf, requireRun, startRun } from "./runs";
import type { RunBody } from "./schemas";

/** The stream modes that produce events; all others are accepted without effect. */
const producedModes = ["values", "updates"];

/** POST /threads/{thread_id}/runs/wait and POST /runs/wait: responds with the final state when the run has ended. */
export function waitForRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = startRun(context, agent, request);
  return answerAtEnd(context, thread, run, (request.body as RunBody).on_disconnect === "cancel");
}

/** GET /threads/{thread_id}/runs/{run_id}/join: the same for an existing run. */
export function joinRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  return answerAtEnd(context, thread, run, false);
}

/**
 * POST /threads/{thread_id}/runs/stream and POST /runs/stream: server-sent events from the first checkpoint to the
 * last.
 */
export function streamRun(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread, run } = startRun(context, agent, request);
  const { stream_mode, on_disconnect } = request.body as RunBody;
  return eventsOf(context, thread, run, modesIn(request, stream_mode), on_disconnect === "cancel");
}

/** GET /threads/{thread_id}/runs/{run_id}/stream: the same for an existing run, from its start. */
export function joinStream(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ stream_mode?: string[] }>,
): ApiResponse {
  const { thread, run } = requireRun(context, agent, request);
  return eventsOf(context, thread, run, modesIn(request, request.query.stream_mode), false);
}

function modesIn(request: ApiRequest, mode: unknown): string[] {
  const words = [mode ?? []].flat().map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
  // Some clients send an empty mode for the default.
  const named = words.filter((word) => word !== "");
  const modes = named.length > 0 ? named : ["values"];
  const silent = modes.filter((word) => !producedModes.includes(word));
  if (silent.length > 0) request.addNote(`stream_mode ${silent.join(", ")} produces no events`);
  return modes;
}

function answerAtEnd(context: Context, thread: ThreadRecord, run: RunRecord, cancels: boolean): ApiResponse {
  const headers = { "content-type": "application/json", "content-location": locationOf(thread, run) };
  const stream: Stream = async (send, gone) => {
    const ended = await follow(context, run, cancels, gone, () => {});
    if (gone.aborted) return;
    const now = threadBySeq(context.store, thread.seq);
    const values = (now && headOf(context.store, now)?.state) ?? {};
    send(JSON.stringify(ended?.error ? { __error__: errorOf(ended) } : values));
  };
  return { status: 200, headers, stream };
}

function eventsOf(
  context: Context,
  thread: ThreadRecord,
  run: RunRecord,
  modes: string[],
  cancels: boolean,
): ApiResponse {
  const headers = {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "content-location": locationOf(thread, run),
  };
  const stream: Stream = async (send, gone) => {
    const tell = (event: string, data: unknown) => send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    let last = 0;
    tell("metadata", { run_id: run.id, attempt: 1 });
    const ended = await follow(context, run, cancels, gone, () => {
      for (const { seq, metadata, state } of checkpointsOfRun(context.store, thread.seq, run.id, last)) {
        last = seq;
        if (metadata.source === "input") continue;
        if (modes.includes("updates") && metadata.writes) tell("updates", metadata.writes);
        if (modes.includes("values")) tell("values", state);
      }
    });
    if (gone.aborted) return;
    const asked = questionsOf(context, ended);
    if (asked.length > 0 && modes.includes("updates")) tell("updates", { __interrupt__: asked });
    if (ended?.error) tell("error", errorOf(ended));
    tell("end", null);
  };
  return { status: 200, headers, stream };
}

/**
 * Calls `look` whenever a run changes, until it has ended or the client disconnects. Returns undefined for a deleted
 * run.
 */
async function follow(
  context: Context,
  { id }: RunRecord,
  cancels: boolean,
  gone: AbortSignal,
  look: () => void,
): Promise<RunRecord | undefined> {
  for (;;) {
    const run = runById(context.store, id);
    look();
    if (!run || hasEnded(run)) return run;
    await context.notifier.waitFor(id, gone);
    if (!gone.aborted) continue;
    // The stop of the emulator is not a disconnect: the run continues on the next start.
    if (cancels && !context.notifier.closed) abandon(context, id);
    return undefined;
  }
}

/** Implements `on_disconnect: cancel`. */
function abandon(context: Context, id: string): void {
  context.store.transaction(() => {
    const run = runById(context.store, id);
    const thread = run && threadBySeq(context.store, run.thread);
    if (thread) cancelRun(context, thread, run, "interrupt");
  });
  context.scheduler.startTimer();
}

/** Returns the interrupts of a run whose last node asked for input. */
function questionsOf({ store }: Context, run: RunRecord | undefined) {
  const last = run?.spans.at(-1);
  const thread = run && last?.output === null && last.error === null ? threadBySeq(store, run.thread) : undefined;
  const tasks = (thread && headOf(store, thread)?.tasks) ?? [];
  return tasks.flatMap(({ interrupts }) => interrupts);
}

function errorOf({ error }: RunRecord) {
  return { error: "GraphError", message: error };
}
