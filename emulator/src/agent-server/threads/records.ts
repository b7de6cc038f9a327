import type { Context } from "../../runtime/context";
import { fromRow, type Row, type Store } from "../../runtime/storage/store";
import { replaceLabels } from "./json-index";

type Json = Record<string, unknown>;
type ThreadContext = Pick<Context, "store" | "clock" | "scheduler">;

/** The kind of the jobs that expire threads. */
export const ttlKind = "thread-ttl";
const ttlSubject = (seq: number) => `thread ${seq}`;
const MINUTE_MS = 60_000;

/** When a thread expires, and what happens then. */
export interface Ttl {
  strategy: "delete" | "keep_latest";
  /** Minutes from the request that sets it. Without them, and with a negative number, the thread does not expire. */
  ttl?: number;
}

/** A TTL as stored. */
interface StoredTtl extends Ttl {
  expires_at?: string;
}

/** A thread as stored. */
export interface ThreadRecord {
  seq: number;
  id: string;
  deployment_id: string;
  status: "idle" | "busy" | "interrupted" | "error";
  created_at: string;
  updated_at: string;
  state_updated_at: string;
  /** `seq` of the checkpoint of the current state; null before the first. */
  head: number | null;
  ttl: StoredTtl | null;
  /** The error of the last run. */
  error: string | null;
  config: Json;
  metadata: Json;
}

const threadJson = ["ttl", "config", "metadata"];

export function toThread(row: Row): ThreadRecord {
  return fromRow(row, { json: threadJson });
}

export function threadById(store: Store, deploymentId: string, id: string): ThreadRecord | undefined {
  const row = store.get("SELECT * FROM threads WHERE deployment_id = ? AND id = ?", deploymentId, id);
  return row && toThread(row);
}

export function threadBySeq(store: Store, seq: number): ThreadRecord | undefined {
  const row = store.get("SELECT * FROM threads WHERE seq = ?", seq);
  return row && toThread(row);
}

/** Inserts a thread without state. */
export function insertThread(
  { store, clock, scheduler }: ThreadContext,
  thread: Pick<ThreadRecord, "id" | "deployment_id" | "metadata"> & Partial<ThreadRecord>,
): ThreadRecord {
  const now = clock.isoNow();
  const times = { created_at: now, updated_at: now, state_updated_at: now };
  const defaults = { ...times, status: "idle" as const, head: null, error: null, config: {} };
  const record = { ...defaults, ...thread, ttl: startTtl(clock, thread.ttl ?? null) };
  const seq = store.insert("threads", toJsonRow(record, threadJson));
  replaceLabels(store, thread.deployment_id, seq, thread.metadata);
  scheduleTtl(scheduler, { ...record, seq });
  return { ...record, seq };
}

/** Updates a thread in the store and in memory. */
export function updateThread(
  { store, clock, scheduler }: ThreadContext,
  thread: ThreadRecord,
  change: Partial<ThreadRecord>,
): void {
  const ttl = change.ttl === undefined ? {} : { ttl: startTtl(clock, change.ttl) };
  const fullChange = { updated_at: clock.isoNow(), ...change, ...ttl };
  Object.assign(thread, fullChange);
  store.update("threads", { seq: thread.seq }, toJsonRow(fullChange, threadJson));
  if (change.metadata) replaceLabels(store, thread.deployment_id, thread.seq, change.metadata);
  if (change.ttl !== undefined) scheduleTtl(scheduler, thread);
}

/** The last moment that a date can be. */
const LAST_MS = 8.64e15;

const expires = ({ ttl }: Ttl): boolean => ttl !== undefined && ttl >= 0;

function startTtl(clock: Context["clock"], ttl: Ttl | null): StoredTtl | null {
  if (!ttl || !expires(ttl)) return ttl;
  const lastMs = Math.min(clock.now() + Number(ttl.ttl) * MINUTE_MS, LAST_MS);
  return { ...ttl, expires_at: new Date(lastMs).toISOString() };
}

/** Starts the TTL of a thread; ttl.ts handles its expiry. */
export function scheduleTtl(
  scheduler: Context["scheduler"],
  { seq, ttl, deployment_id }: ThreadRecord,
  atLeastMs = 0,
): void {
  scheduler.cancel(ttlSubject(seq));
  if (!ttl || !expires(ttl)) return;
  const ms = Math.max(Number(ttl.ttl) * MINUTE_MS, atLeastMs);
  scheduler.schedule(ms, { kind: ttlKind, subject: ttlSubject(seq), owner: deployment_id, payload: seq });
}

/** Deletes a thread with its checkpoints, labels and runs. */
export function deleteThreadRecord(
  { store, scheduler, notifier }: Pick<Context, "store" | "scheduler" | "notifier">,
  thread: ThreadRecord,
): void {
  for (const { id } of store.all("SELECT id FROM agent_runs WHERE thread = ?", thread.seq))
    scheduler.cancel(String(id));
  scheduler.cancel(ttlSubject(thread.seq));
  store.run("DELETE FROM threads WHERE seq = ?", thread.seq);
  store.afterCommit(() => notifier.notifyAll());
}

/** Deletes all data of a deployment's agent server. */
export function deleteAgentData({ store, notifier }: Pick<Context, "store" | "notifier">, deploymentId: string): void {
  for (const table of ["threads", "assistants", "stored_items", "agent_graphs"])
    store.run(`DELETE FROM ${table} WHERE deployment_id = ?`, deploymentId);
  store.afterCommit(() => notifier.notifyAll());
}

/** Serializes the JSON columns of a record. */
export function toJsonRow(record: object, json: readonly string[]): Row {
  const write = (column: string, value: unknown) =>
    json.includes(column) && value !== null ? JSON.stringify(value) : value;
  return Object.fromEntries(Object.entries(record).map(([column, value]) => [column, write(column, value)])) as Row;
}
