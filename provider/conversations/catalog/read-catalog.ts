/** Reads an agent server's assistants with their versions, its stored items, and its crons. */
import { type ConversationServer, RejectedError } from "../server/conversation-server";
import { listAll } from "../server/list-threads";

export type Fields = Record<string, unknown>;

/** An assistant with its versions, oldest first. */
export interface SavedAssistant {
  assistant: Fields & { assistant_id: string; graph_id: string; version?: number; metadata?: Fields | null };
  versions: Fields[];
}

export interface SavedItem {
  namespace: string[];
  key: string;
  value: unknown;
}

/** A cron without its webhook. */
export type SavedCron = Fields & {
  cron_id: string;
  metadata?: Fields | null;
  payload?: Fields | null;
  hadWebhook?: true;
};

/** @param server That may also have deleted an assistant since the list: then it has no versions. */
export async function* readAssistants(server: ConversationServer): AsyncGenerator<SavedAssistant> {
  const idOf = ({ assistant_id: id }: SavedAssistant["assistant"]) => id;
  for await (const assistant of listAll(server, { path: "/assistants/search", idOf }))
    yield { assistant, versions: await readVersions(server, assistant.assistant_id) };
}

/** Lists the versions of an assistant, oldest first; none where it does not exist. */
export async function readVersions(server: ConversationServer, id: string): Promise<Fields[]> {
  const versions: Fields[] = [];
  const idOf = ({ version }: Fields) => String(version);
  try {
    for await (const version of listAll(server, { path: `/assistants/${id}/versions`, idOf })) versions.push(version);
  } catch (error) {
    // Servers say so of a page after the last one, too.
    if (!(error instanceof RejectedError) || error.status !== 404) throw error;
  }
  return versions.toSorted((one, other) => Number(one.version) - Number(other.version));
}

/** Lists the stored items; none where the server has no store. Reading does not prolong their life. */
export async function* readItems(server: ConversationServer): AsyncGenerator<SavedItem> {
  const body = { namespace_prefix: [], refresh_ttl: false };
  const facts = { field: "items", feature: "store-search", idOf: nameOfItem } as const;
  const list = { path: "/store/items/search", body, ...facts };
  for await (const { namespace, key, value } of listAll<SavedItem>(server, list)) yield { namespace, key, value };
}

export const nameOfItem = ({ namespace, key }: Omit<SavedItem, "value">): string => JSON.stringify([namespace, key]);

/** Lists the crons; none where the server has none. */
export async function* readCrons(server: ConversationServer): AsyncGenerator<SavedCron> {
  const idOf = ({ cron_id: id }: SavedCron) => id;
  const list = { path: "/runs/crons/search", feature: "crons-search", idOf } as const;
  for await (const { payload, ...cron } of listAll(server, list)) {
    // A webhook may contain a secret.
    const { webhook, ...kept } = payload ?? {};
    yield { ...cron, payload: kept, ...(webhook != null && { hadWebhook: true }) };
  }
}
