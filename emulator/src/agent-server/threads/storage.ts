import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import type { Agent } from "../requests/auth";
import { checkpointsOf } from "./checkpoints";
import { requireThread } from "./threads";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** GET /threads/{thread_id}/storage: the bytes of its checkpoints, each of which is stored as a whole here. */
export function getStorage(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const thread = requireThread(context, agent, request);
  const stored = checkpointsOf(context.store, thread, { limit: Number.MAX_SAFE_INTEGER });
  const byChannel = new Map<string, { versions: number; bytes: number }>();
  for (const [name, value] of stored.flatMap(({ state }) => Object.entries(state))) {
    const { versions, bytes } = byChannel.get(name) ?? { versions: 0, bytes: 0 };
    byChannel.set(name, { versions: versions + 1, bytes: bytes + bytesOf(value) });
  }
  const channels = [...byChannel.values()];
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const channel_values = {
    count: sum(channels.map(({ versions }) => versions)),
    bytes: sum(channels.map(({ bytes }) => bytes)),
    by_channel: Object.fromEntries(byChannel),
  };
  const checkpoints = { count: stored.length, bytes: sum(stored.map(({ metadata }) => bytesOf(metadata))) };
  const pending_writes = { count: 0, bytes: 0 };
  const total_bytes = checkpoints.bytes + channel_values.bytes;
  return { status: 200, body: { thread_id: thread.id, total_bytes, checkpoints, channel_values, pending_writes } };
}
