/** What belongs to an agent server beside its conversations: assistants with their versions, stored items, and crons. */
import { type ConversationServer, RejectedError } from "./conversation-server";

const PAGE_SIZE = 1000;

type Fields = Record<string, unknown>;

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

export type SavedCron = Fields & { cron_id: string; payload?: Fields | null };

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
    yield* pages<SavedCron>(server, "/runs/crons/search");
  } catch (error) {
    // One without crons may say so with any status.
    if (!(error instanceof RejectedError) || (server.isPython && error.status >= 500)) throw error;
  }
}

async function* pages<T>(server: ConversationServer, path: string): AsyncGenerator<T> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const page = await server.readJson<T[]>({ method: "POST", path, body: { limit: PAGE_SIZE, offset } });
    yield* page;
    if (page.length < PAGE_SIZE) return;
  }
}

const CONTENT = ["config", "context", "metadata", "name", "description"] as const;

/** Creates an assistant with all versions. One that exists is left as it is. Returns what is not the same. */
export async function writeAssistant(
  { assistant, versions }: SavedAssistant,
  target: ConversationServer,
): Promise<string | undefined> {
  const { assistant_id, graph_id, version } = assistant;
  const path = `/assistants/${assistant_id}`;
  const isDefault = assistant.metadata?.created_by === "system";
  if (isDefault) return undefined;
  const exists = await target.read({ method: "GET", path }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RejectedError && error.status === 404) return false;
      throw error;
    },
  );
  if (exists) return `assistant ${assistant_id} exists and was left as it is`;
  const [first = assistant, ...later] = versions;
  const body = { assistant_id, graph_id, ...contentOf(first), if_exists: "raise" };
  await target.write({ method: "POST", path: "/assistants", body });
  for (const one of later) await target.write({ method: "PATCH", path, body: contentOf(one) });
  if (later.length > 0 && version !== undefined && version !== later.length + 1)
    await target.write({ method: "POST", path: `${path}/latest`, body: { version } });
  return undefined;
}

const contentOf = (fields: Fields): Fields =>
  Object.fromEntries(CONTENT.flatMap((key) => (fields[key] == null ? [] : [[key, fields[key]]])));

export const writeItem = ({ namespace, key, value }: SavedItem, target: ConversationServer): Promise<string> =>
  target.write({ method: "PUT", path: "/store/items", body: { namespace, key, value } });

const CRON_FIELDS = ["schedule", "timezone", "end_time", "on_run_completed", "metadata"] as const;
/** What a server adds to a payload, or what may contain a secret. */
const NOT_SENT: ReadonlySet<string> = new Set(["webhook", "enabled", "schedule", "metadata"]);

/** Creates a cron that does not fire yet. Returns its new ID. */
export async function writePausedCron(cron: SavedCron, target: ConversationServer): Promise<string> {
  const fields = CRON_FIELDS.flatMap((key) => (cron[key] == null ? [] : [[key, cron[key]]]));
  const payload = Object.entries(cron.payload ?? {}).filter(([key, value]) => value != null && !NOT_SENT.has(key));
  const threadId = cron.thread_id;
  const path = typeof threadId === "string" ? `/threads/${threadId}/runs/crons` : "/runs/crons";
  const body = { ...Object.fromEntries(payload), ...Object.fromEntries(fields), enabled: false };
  const text = await target.write({ method: "POST", path, body });
  return (JSON.parse(text) as { cron_id: string }).cron_id;
}

/** The schedule is part of the request: otherwise some servers fire at once. */
export const enableCron = (id: string, { schedule }: SavedCron, target: ConversationServer): Promise<string> =>
  target.write({ method: "PATCH", path: `/runs/crons/${id}`, body: { schedule, enabled: true } });
