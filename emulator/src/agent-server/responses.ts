import type { Context } from "../runtime/context";
import { threadError } from "./runs/thread-error";
import { formatTime, traitsOf } from "./server/server-traits";
import { type CheckpointRecord, shownCheckpoint, shownParentOf, type Task } from "./threads/checkpoints";
import type { ThreadRecord } from "./threads/records";

/** Returns a thread as the interface shows it; real servers add the fields at the end. */
export function threadResponse(context: Context, thread: ThreadRecord): Record<string, unknown> {
  const { store, settings } = context;
  const { id, metadata, status, config } = thread;
  const head = shownCheckpoint(store, thread);
  const created_at = formatTime(context, thread.created_at);
  const updated_at = formatTime(context, thread.updated_at);
  const response = { thread_id: id, created_at, updated_at, metadata, status, config, values: head?.state ?? {} };
  if (settings.interfaceOnly) return response;
  return { ...response, ...stateOfThread(context, thread, head) };
}

/** Returns the TTL of a thread as a response shows it on request (API `2B.Thread.ttl:response`). */
export function ttlResponse(context: Pick<Context, "settings">, { ttl }: ThreadRecord): Record<string, unknown> {
  if (!ttl || !traitsOf(context).hasTtl) return {};
  const expires_at = ttl.expires_at === undefined ? null : formatTime(context, ttl.expires_at);
  return { ttl: { strategy: ttl.strategy, ttl_minutes: ttl.ttl ?? null, expires_at } };
}

/** Returns what real servers add about the state: nothing before the first, and in JavaScript only the interrupts. */
function stateOfThread(context: Context, { error, state_updated_at }: ThreadRecord, head?: CheckpointRecord) {
  const { showsStateOfThreads } = traitsOf(context);
  const byTask = interruptsOf(
    head,
    ({ interrupts, error }) => interrupts.length > 0 || (!showsStateOfThreads && error !== null),
  );
  const isShown = showsStateOfThreads ? head : (head?.run_id ?? Object.keys(byTask)[0]);
  const interrupts = isShown && { interrupts: byTask };
  if (!showsStateOfThreads) return { ...interrupts };
  return {
    state_updated_at: formatTime(context, state_updated_at),
    ...(head && { ...interrupts, error: threadError(error) }),
  };
}

/** Returns the interrupts of a thread by task; in JavaScript also of those that failed, which have none. */
function interruptsOf(head: CheckpointRecord | undefined, isShown: (task: Task) => boolean): Record<string, unknown> {
  return Object.fromEntries((head?.tasks ?? []).filter(isShown).map(({ id, interrupts }) => [id, interrupts]));
}

/** Returns the state of a thread at a checkpoint, or the empty state without one. */
export function stateResponse(
  context: Pick<Context, "settings" | "store">,
  thread: ThreadRecord,
  checkpoint: CheckpointRecord | undefined,
): Record<string, unknown> {
  const response = checkpoint ? filledState(context, thread, checkpoint) : emptyState;
  if (context.settings.interfaceOnly || !traitsOf(context).showsStateOfThreads) return response;
  return { ...response, interrupts: (checkpoint?.tasks ?? []).flatMap(({ interrupts }) => interrupts) };
}

/** Real servers return an empty state for a checkpoint that does not exist. */
export function unknownStateResponse(context: Context, thread: ThreadRecord, checkpoint_id: string) {
  const checkpoint = { checkpoint_id, thread_id: thread.id };
  return { ...stateResponse(context, thread, undefined), checkpoint, checkpoint_id };
}

function filledState(
  context: Pick<Context, "settings" | "store">,
  thread: ThreadRecord,
  checkpoint: CheckpointRecord,
): Record<string, unknown> {
  const parent_id = shownParentOf(context.store, thread, checkpoint);
  const { id, state, next, tasks, metadata, created_at, namespace } = checkpoint;
  return {
    values: state,
    next,
    tasks,
    metadata: { ...metadata, thread_id: thread.id, checkpoint_id: id },
    created_at: formatTime(context, created_at),
    checkpoint: checkpointRef(thread, id, namespace),
    parent_checkpoint: parent_id === null ? null : checkpointRef(thread, parent_id, namespace),
    checkpoint_id: id,
    parent_checkpoint_id: parent_id,
  };
}

export function checkpointRef({ id }: ThreadRecord, checkpoint_id: string, checkpoint_ns: string) {
  return { checkpoint_id, thread_id: id, checkpoint_ns };
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
