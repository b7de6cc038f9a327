import type { ApiRequest, ApiResponse, Stream } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import type { Agent } from "../requests/auth";
import { hasEnded, type RunRecord, runsOf } from "../runs/records";
import { isListOf } from "../runs/request-checks";
import { streamHeaders } from "../runs/streams/streams";
import { type ThreadRecord, threadById } from "../threads/records";
import { findThread } from "../threads/threads";
import { protocolReader } from "./events";
import type { ProtocolEvent } from "./messages";

const CHANNELS = ["values", "updates", "checkpoints", "messages", "tools", "custom", "lifecycle", "input", "tasks"];

/** Which events a client asks for. */
interface Filter {
  channels: string[];
  /** Parts of the tree of subgraphs; none is all of it. */
  namespaces: string[][];
  /** How far below a namespace. */
  depth: number;
  /** The number of the last event that the client has. */
  since: number;
}

/**
 * POST /threads/{thread_id}/stream/events: the events of all runs of a thread in the form of the streaming protocol,
 * until the client disconnects or the thread is deleted. Runs that have ended are part of it if they are resumable. The
 * thread need not exist yet.
 */
export function streamThreadEvents(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { thread_id: id = "" } = request.params;
  const { store, notifier, settings } = context;
  const isPython = settings.agentServer === "python";
  const filter = readFilter(request, isPython);
  const find = () => threadById(store, agent.deployment.id, id);
  const thread = find();
  if (thread && !findThread(context, agent, id)) throw new ApiError(404, `Thread with ID ${id} not found`);
  const stream: Stream = async (send, disconnected) => {
    const read = eventsOfThread(context, thread);
    for (let last = thread; !disconnected.aborted; ) {
      const current = find();
      if (last && !current) return;
      last = current;
      for (const event of current ? read(current) : []) if (matches(event, filter)) send(toText(event));
      await notifier.waitFor(id, disconnected);
    }
  };
  return { status: 200, headers: streamHeaders(isPython), stream };
}

/** An event of a stream, which counts the events of all runs of its thread, including those that are not sent. */
interface NumberedEvent extends ProtocolEvent {
  event_id: string;
  seq: number;
  timestamp: number;
}

/**
 * Returns a function that returns the events of a thread since the previous call. Those of runs that have ended before
 * are lost, unless they are resumable.
 */
export function eventsOfThread(
  context: Context,
  before: ThreadRecord | undefined,
): (thread: ThreadRecord) => NumberedEvent[] {
  const isLost = (run: RunRecord) => hasEnded(run) && run.request.stream_resumable !== true;
  const skipped = (before ? runsOf(context.store, before.seq) : []).filter(isLost).map(({ id }) => id);
  const readers = new Map<string, ReturnType<typeof protocolReader>>();
  const isPython = context.settings.agentServer === "python";
  let seq = 0;
  return (thread) => {
    const runs = runsOf(context.store, thread.seq).filter(({ id }) => !skipped.includes(id));
    return runs.reverse().flatMap((run) => {
      const read = readers.get(run.id) ?? protocolReader(context, thread);
      readers.set(run.id, read);
      return read(run).map((event) => {
        seq += 1;
        const event_id = isPython ? `${run.id}-${seq}` : String(seq);
        return { ...event, event_id, seq, timestamp: context.clock.now() };
      });
    });
  };
}

function toText({ method, namespace, data, node, event_id, seq, timestamp }: NumberedEvent): string {
  const params = { namespace, timestamp, data, ...(node !== undefined && { node }) };
  const event = { type: "event", event_id, seq, method, params };
  return `id: ${seq}\nevent: ${method}\ndata: ${JSON.stringify(event)}\n\n`;
}

function matches({ method, namespace, seq }: NumberedEvent, filter: Filter): boolean {
  const { channels, namespaces, depth, since } = filter;
  if (seq <= since || !channels.includes(method === "input.requested" ? "input" : method)) return false;
  const isBelow = (prefix: readonly string[]) =>
    prefix.every((part, index) => [namespace[index], namespace[index]?.split(":")[0]].includes(part)) &&
    namespace.length - prefix.length <= depth;
  return namespaces.length === 0 || namespaces.some(isBelow);
}

/** Reads what a client asks for, and ignores what cannot be read. @throws ApiError 400 for channels, in Python */
function readFilter({ body, addIssue, throwIfIssues }: ApiRequest, isPython: boolean): Filter {
  const { channels: named, namespaces, depth, since } = body as Record<string, unknown>;
  const channels = Array.isArray(named) ? named : [];
  if (isPython && channels.length === 0) throw new ApiError(400, "channels is required and must be a non-empty array");
  if (!Array.isArray(named)) addIssue(["channels"], "expected a list");
  throwIfIssues();
  const unknown = channels.filter((name) => !CHANNELS.includes(name) && !/^custom:./.test(String(name)));
  if (isPython && unknown.length > 0)
    throw new ApiError(400, `channels contains unsupported entries: ${unknown.join(", ")}`);
  const isPath = (value: unknown) => isListOf(value, (part) => typeof part === "string");
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  return {
    channels,
    namespaces: Array.isArray(namespaces) ? namespaces.filter(isPath) : [],
    depth: isCount(depth) ? Number(depth) : Number.POSITIVE_INFINITY,
    since: isCount(since) ? Number(since) : 0,
  };
}
