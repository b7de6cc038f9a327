/**
 * Reads what belongs to an agent server beside its conversations: assistants with their versions, stored items, and
 * crons.
 */
import { type ConversationServer, RejectedError, toList } from "../server/conversation-server";

const PAGE_SIZE = 1000;

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

export async function* readAssistants(server: ConversationServer): AsyncGenerator<SavedAssistant> {
  for await (const assistant of pages<SavedAssistant["assistant"]>(server, "/assistants/search")) {
    const path = `/assistants/${assistant.assistant_id}/versions`;
    const versions = await server.readJson<Fields[]>({ method: "POST", path, body: { limit: PAGE_SIZE } });
    yield { assistant, versions: versions.reverse() };
  }
}

/** Lists the stored items; none where the server has no store. Reading does not prolong their life. */
export async function* readItems(server: ConversationServer): AsyncGenerator<SavedItem> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const body = { namespace_prefix: [], limit: PAGE_SIZE, offset, refresh_ttl: false };
    const { items } = await server
      .readJson<{ items: SavedItem[] }>({ method: "POST", path: "/store/items/search", body })
      .catch((error: unknown) => {
        if (!(error instanceof RejectedError) || (error.status !== 404 && error.status !== 405)) throw error;
        return { items: [] };
      });
    for (const { namespace, key, value } of items) yield { namespace, key, value };
    if (items.length < PAGE_SIZE) return;
  }
}

/** Lists the crons; none where the server has none. */
export async function* readCrons(server: ConversationServer): AsyncGenerator<SavedCron> {
  try {
    for await (const { payload, ...cron } of pages<SavedCron>(server, "/runs/crons/search")) {
      // A webhook may contain a secret.
      const { webhook, ...kept } = payload ?? {};
      yield { ...cron, payload: kept, ...(webhook != null && { hadWebhook: true }) };
    }
  } catch (error) {
    // One without crons may say so with any status.
    if (!(error instanceof RejectedError) || (server.isPython && error.status >= 500)) throw error;
  }
}

async function* pages<T extends object>(server: ConversationServer, path: string): AsyncGenerator<T> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = toList<T>(await server.read({ method: "POST", path, body: { limit: PAGE_SIZE, offset } }), path);
    yield* page;
    if (page.length < PAGE_SIZE) return;
  }
}
