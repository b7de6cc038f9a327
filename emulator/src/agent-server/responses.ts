import type { Context } from "../runtime/context";
import { traitsOf } from "./server-traits";
import { type CheckpointRecord, latestCheckpoint } from "./threads/checkpoints";
import type { ThreadRecord } from "./threads/records";

/** Returns a thread as the interface shows it; real servers add the fields at the end. */
export function threadResponse({ store, settings }: Context, thread: ThreadRecord): Record<string, unknown> {
  const { id, created_at, updated_at, metadata, status, config, state_updated_at, error } = thread;
  const head = latestCheckpoint(store, thread);
  const response = { thread_id: id, created_at, updated_at, metadata, status, config, values: head?.state ?? {} };
  if (settings.interfaceOnly) return response;
  return { ...response, state_updated_at, interrupts: interruptsOf(head), error };
}

/** Returns the TTL of a thread as a response shows it on request (API `2B.Thread.ttl:response`). */
export function ttlResponse({ settings }: Pick<Context, "settings">, { ttl }: ThreadRecord): Record<string, unknown> {
  if (!ttl || !traitsOf({ settings }).hasTtl) return {};
  return { ttl: { strategy: ttl.strategy, ttl_minutes: ttl.ttl, expires_at: ttl.expires_at ?? null } };
}

/** Returns the interrupts of a thread by task. */
function interruptsOf(head: CheckpointRecord | undefined): Record<string, unknown> {
  const interruptedTasks = (head?.tasks ?? []).filter(({ interrupts }) => interrupts.length > 0);
  return Object.fromEntries(interruptedTasks.map(({ id, interrupts }) => [id, interrupts]));
}

/** Returns the state of a thread at a checkpoint, or the empty state without one. */
export function stateResponse(
  { settings }: Pick<Context, "settings">,
  thread: ThreadRecord,
  checkpoint: CheckpointRecord | undefined,
): Record<string, unknown> {
  const response = checkpoint ? filledState(thread, checkpoint) : emptyState;
  if (settings.interfaceOnly) return response;
  return { ...response, interrupts: (checkpoint?.tasks ?? []).flatMap(({ interrupts }) => interrupts) };
}

function filledState(thread: ThreadRecord, checkpoint: CheckpointRecord): Record<string, unknown> {
  const { id, parent_id, state, next, tasks, metadata, created_at } = checkpoint;
  return {
    values: state,
    next,
    tasks,
    metadata: { ...metadata, thread_id: thread.id, checkpoint_id: id },
    created_at,
    checkpoint: checkpointRef(thread, id),
    parent_checkpoint: parent_id === null ? null : checkpointRef(thread, parent_id),
    checkpoint_id: id,
    parent_checkpoint_id: parent_id,
  };
}

export function checkpointRef({ id }: ThreadRecord, checkpoint_id: string) {
  return { checkpoint_id, thread_id: id, checkpoint_ns: "" };
}

const emptyState = {
  values: {},
  next: [],
  tasks: [],
  metadata: null,
  created_at: null,
  checkpoint: null,
  parent_checkpoint: null,
  checkpoint_id: null,
  parent_checkpoint_id: null,
};
