import type { ApiRequest, ApiResponse, Stream } from "../../../http/route";
import type { Context } from "../../../runtime/context";
import { ApiError } from "../../../runtime/errors";
import type { Agent } from "../../requests/auth";
import { type ThreadRecord, threadBySeq } from "../../threads/records";
import { requireThread } from "../../threads/threads";
import { hasEnded, type RunRecord, runsOf } from "../records";
import type { RunEvent } from "./step-events";
import { eventId, eventReader, isAfter } from "./stream-events";

/** Which events a client asks for: all of runs, only their start and end, or the changes of the state by others. */
const streamModes = ["run_modes", "lifecycle", "state_update"];

/** A run whose events the client gets. */
interface Followed {
  read: (run: RunRecord) => RunEvent[];
  position: number;
  isDone: boolean;
}

/**
 * GET /threads/{thread_id}/stream: the events of all runs of a thread, until the client disconnects or the thread is
 * deleted. With `Last-Event-ID`, it begins with those of resumable runs after that event.
 */
export function streamThread(
  context: Context,
  agent: Agent,
  request: ApiRequest<{ stream_modes?: string }>,
): ApiResponse {
  const thread = requireThread(context, agent, request);
  const modes = (request.query.stream_modes ?? "run_modes").split(",").map((mode) => mode.trim());
  const unknown = modes.find((mode) => !streamModes.includes(mode));
  if (unknown !== undefined) throw new ApiError(422, `Invalid stream mode: ${unknown}`);
  const lastId = request.header("last-event-id") || undefined;
  if (lastId !== undefined && !/^(-|\d+(-(\d+|\*))?)$/.test(lastId))
    throw new ApiError(422, "Invalid last-event-id: expected milliseconds and a number, or -");
  const isSent = ({ name }: RunEvent, id: string) =>
    (lastId === undefined || isAfter(context, id, lastId)) &&
    (modes.includes("run_modes") || (modes.includes("lifecycle") && name === "metadata"));
  const stream: Stream = async (send, disconnected) => {
    const followed = new Map<string, Followed>();
    const before = runsOf(context.store, thread.seq).filter(
      (run) => hasEnded(run) && !(lastId !== undefined && run.request.stream_resumable),
    );
    const skipped = new Set(before.map(({ id }) => id));
    while (!disconnected.aborted && threadBySeq(context.store, thread.seq)) {
      for (const run of runsOf(context.store, thread.seq).reverse()) {
        if (skipped.has(run.id)) continue;
        for (const { event, id } of newEvents(context, thread, run, followed))
          if (isSent(event, id)) send(`id: ${id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`);
      }
      await context.notifier.waitFor(thread.id, disconnected);
    }
  };
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
    stream,
  };
}

/** Returns what a run has done since the previous call, and at its end an event that says so. */
function newEvents(context: Context, thread: ThreadRecord, run: RunRecord, all: Map<string, Followed>) {
  const followed = all.get(run.id) ?? { read: eventReader(context, thread), position: 0, isDone: false };
  all.set(run.id, followed);
  if (followed.isDone) return [];
  followed.isDone = hasEnded(run);
  const end = { name: "metadata", data: { status: "run_done", run_id: run.id } };
  const events = [...followed.read(run), ...(followed.isDone ? [end] : [])];
  return events.map((event) => ({ event, id: eventId(context, run, followed.position++) }));
}
