/** Reads an agent server's assistants with their versions, its stored items, and its crons. */
import { type ConversationServer, RejectedError, readFitting, toList } from "../server/conversation-server";
import { untilNothingNew } from "../server/list-threads";

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

/** @param server That may also have deleted an assistant since the list: then it has no versions. */
export async function* readAssistants(server: ConversationServer): AsyncGenerator<SavedAssistant> {
  const list = () => pages<SavedAssistant["assistant"]>(server, "/assistants/search");
  for await (const assistant of untilNothingNew(list, ({ assistant_id: id }) => id, PAGE_SIZE))
    yield { assistant, versions: await readVersions(server, assistant.assistant_id) };
}

/** Lists the versions of an assistant, oldest first; none where it does not exist. */
export async function readVersions(server: ConversationServer, id: string): Promise<Fields[]> {
  const versions: Fields[] = [];
  try {
    for await (const version of pages<Fields>(server, `/assistants/${id}/versions`)) versions.push(version);
  } catch (error) {
    // Servers in JavaScript say so of a page after the last one, too.
    if (!(error instanceof RejectedError) || error.status !== 404) throw error;
  }
  return versions.reverse();
}

/** Lists the stored items; none where the server has no store. Reading does not prolong their life. */
export async function* readItems(server: ConversationServer): AsyncGenerator<SavedItem> {
  const body = { namespace_prefix: [], refresh_ttl: false };
  const list = () => pages<SavedItem>(server, "/store/items/search", { body, field: "items" });
  try {
    for await (const { namespace, key, value } of untilNothingNew(list, nameOfItem, PAGE_SIZE))
      yield { namespace, key, value };
  } catch (error) {
    if (!(error instanceof RejectedError) || (error.status !== 404 && error.status !== 405)) throw error;
  }
}

export const nameOfItem = ({ namespace, key }: Omit<SavedItem, "value">): string => JSON.stringify([namespace, key]);

/** Lists the crons; none where the server has none. */
export async function* readCrons(server: ConversationServer): AsyncGenerator<SavedCron> {
  try {
    const list = () => pages<SavedCron>(server, "/runs/crons/search");
    for await (const { payload, ...cron } of untilNothingNew(list, ({ cron_id: id }) => id, PAGE_SIZE)) {
      // A webhook may contain a secret.
      const { webhook, ...kept } = payload ?? {};
      yield { ...cron, payload: kept, ...(webhook != null && { hadWebhook: true }) };
    }
  } catch (error) {
    // One without crons may say so with any other status.
    if (!(error instanceof RejectedError) || error.isOfEveryRequest || (server.isPython && error.status >= 500))
      throw error;
  }
}

/** @param field Of the response, which contains the list. Default: the response is the list. */
async function* pages<T extends object>(
  server: ConversationServer,
  path: string,
  { body, field }: { body?: object; field?: string } = {},
): AsyncGenerator<T> {
  for (let [offset, limit] = [0, PAGE_SIZE]; ; ) {
    const read = (count: number) => server.read({ method: "POST", path, body: { ...body, limit: count, offset } });
    const [text, fitting] = await readFitting(limit, read);
    const page = toList<T>(text, path, field);
    yield* page;
    if (page.length < fitting) return;
    offset += page.length;
    limit = fitting;
  }
}
