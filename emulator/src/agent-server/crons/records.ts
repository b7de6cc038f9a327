import type { Context } from "../../runtime/context";
import { fromRow, type Row, type Store } from "../../runtime/storage/store";
import { toJsonRow } from "../threads/records";

type Json = Record<string, unknown>;

/** A cron as stored. */
export interface CronRecord {
  seq: number;
  id: string;
  deployment_id: string;
  /** `seq` of its assistant, with which it is deleted. */
  assistant: number;
  /** `seq` of its thread, with which it is deleted; null for a stateless cron. */
  thread: number | null;
  user_id: string;
  schedule: string;
  timezone: string | null;
  end_time: string | null;
  enabled: boolean;
  on_run_completed: "delete" | "keep" | null;
  metadata: Json;
  /** The body of the request, with what later ones changed. */
  payload: Json;
  next_run_date: string;
  created_at: string;
  updated_at: string;
  /** From the records that it refers to. */
  assistant_id: string;
  thread_id: string | null;
}

const json = ["metadata", "payload"];
const select = `SELECT crons.*, assistants.id AS assistant_id, threads.id AS thread_id FROM crons
  JOIN assistants ON assistants.seq = crons.assistant LEFT JOIN threads ON threads.seq = crons.thread`;

export function insertCron(
  { store, clock }: Context,
  cron: Omit<CronRecord, "seq" | "created_at" | "updated_at" | "assistant_id" | "thread_id">,
): CronRecord | undefined {
  const now = clock.isoNow();
  return cronBySeq(store, store.insert("crons", toCronRow({ ...cron, created_at: now, updated_at: now })));
}

/** Updates a cron in the store and in memory; `updated_at` only if the change has it. */
export function updateCron(store: Store, cron: CronRecord, change: Partial<CronRecord>): void {
  Object.assign(cron, change);
  store.update("crons", { seq: cron.seq }, toCronRow(change));
}

export function deleteCronRecord(store: Store, { seq }: CronRecord): void {
  store.run("DELETE FROM crons WHERE seq = ?", seq);
}

export function cronBySeq(store: Store, seq: number): CronRecord | undefined {
  const row = store.get(`${select} WHERE crons.seq = ?`, seq);
  return row && toCron(row);
}

export function cronById(store: Store, deploymentId: string, id: string): CronRecord | undefined {
  const row = store.get(`${select} WHERE crons.deployment_id = ? AND crons.id = ?`, deploymentId, id);
  return row && toCron(row);
}

/** Returns the crons of a deployment, newest first. */
export function cronsOf(store: Store, deploymentId: string): CronRecord[] {
  return store.all(`${select} WHERE crons.deployment_id = ? ORDER BY crons.seq DESC`, deploymentId).map(toCron);
}

/** Returns all crons that are enabled. */
export function enabledCrons(store: Store): CronRecord[] {
  return store.all(`${select} WHERE crons.enabled ORDER BY crons.seq`).map(toCron);
}

/**
 * Returns whether a cron is stopped by one with an `end_time`: itself, or an earlier one. The published server fails
 * there, because it compares the text with a date.
 */
export function isStopped(store: Store, { seq, deployment_id }: CronRecord): boolean {
  const sql = "SELECT 1 FROM crons WHERE deployment_id = ? AND enabled AND end_time IS NOT NULL AND seq <= ? LIMIT 1";
  return store.get(sql, deployment_id, seq) !== undefined;
}

function toCron(row: Row): CronRecord {
  return fromRow(row, { json, booleans: ["enabled"] });
}

function toCronRow(cron: Partial<CronRecord>): Row {
  return toJsonRow({ ...cron, ...(cron.enabled !== undefined && { enabled: Number(cron.enabled) }) }, json);
}
