import type { Context } from "../../runtime/context";
import { fromRow, type Row, type Store } from "../../runtime/storage/store";
import { toJsonRow } from "../threads/records";

type Json = Record<string, unknown>;

/** What a version of an assistant contains. */
export interface AssistantContent {
  graph_id: string;
  name: string;
  description: string | null;
  config: Json;
  /** The server in JavaScript stores any value. */
  context: unknown;
  metadata: Json;
}

/** An assistant as stored, with the content of its current version. */
export interface AssistantRecord extends AssistantContent {
  seq: number;
  id: string;
  deployment_id: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A version as stored. */
export interface VersionRecord extends AssistantContent {
  version: number;
  created_at: string;
}

type AssistantContext = Pick<Context, "store" | "clock">;

const json = ["config", "context", "metadata"];

/** Returns the assistants of a deployment, newest first unless an order is given. */
export function assistantsOf(
  store: Store,
  deploymentId: string,
  order = "created_at DESC, seq DESC",
): AssistantRecord[] {
  return store.all(`SELECT * FROM assistants WHERE deployment_id = ? ORDER BY ${order}`, deploymentId).map(toAssistant);
}

export function assistantById(store: Store, deploymentId: string, id: string): AssistantRecord | undefined {
  const row = store.get("SELECT * FROM assistants WHERE deployment_id = ? AND id = ?", deploymentId, id);
  return row && toAssistant(row);
}

/** Inserts an assistant with its first version. */
export function insertAssistant(
  { store, clock }: AssistantContext,
  assistant: AssistantContent & Pick<AssistantRecord, "id" | "deployment_id">,
): AssistantRecord {
  const now = clock.isoNow();
  const record = { ...assistant, version: 1, created_at: now, updated_at: now };
  const inserted = { ...record, seq: store.insert("assistants", toJsonRow(record, json)) };
  insertVersion(store, inserted);
  return inserted;
}

/** Updates an assistant in the store and in memory, without a new version. */
export function updateAssistant(
  { store, clock }: AssistantContext,
  assistant: AssistantRecord,
  change: Partial<AssistantRecord>,
): void {
  const fullChange = { updated_at: clock.isoNow(), ...change };
  Object.assign(assistant, fullChange);
  store.update("assistants", { seq: assistant.seq }, toJsonRow(fullChange, json));
}

/** Stores changed content as a new version, which becomes the current one. */
export function addVersion(
  context: AssistantContext,
  assistant: AssistantRecord,
  change: Partial<AssistantContent>,
): void {
  const sql = "SELECT max(version) AS version FROM assistant_versions WHERE assistant = ?";
  const latest = Number(context.store.get(sql, assistant.seq)?.version);
  updateAssistant(context, assistant, { ...change, version: latest + 1 });
  insertVersion(context.store, assistant);
}

/** Replaces all versions by a first one with the current content. */
export function restartVersions({ store }: AssistantContext, assistant: AssistantRecord): void {
  store.run("DELETE FROM assistant_versions WHERE assistant = ?", assistant.seq);
  insertVersion(store, assistant);
}

/** Returns the versions of an assistant, newest first. */
export function versionsOf(store: Store, { seq }: AssistantRecord): VersionRecord[] {
  const rows = store.all("SELECT * FROM assistant_versions WHERE assistant = ? ORDER BY version DESC", seq);
  return rows.map((row) => fromRow(row, { json }));
}

export function deleteAssistantRecord(store: Store, { seq }: AssistantRecord): void {
  store.run("DELETE FROM assistants WHERE seq = ?", seq);
}

function insertVersion(store: Store, assistant: AssistantRecord): void {
  const { seq, version, updated_at, graph_id, name, description, config, context, metadata } = assistant;
  const content = { graph_id, name, description, config, context, metadata };
  store.insert("assistant_versions", toJsonRow({ assistant: seq, version, created_at: updated_at, ...content }, json));
}

function toAssistant(row: Row): AssistantRecord {
  return fromRow(row, { json });
}
