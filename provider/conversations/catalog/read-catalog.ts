/** Reads an agent server's assistants with their versions, its stored items, and its crons. */
import { recover } from "../../http/errors";
import type { ConversationServer, Route } from "../server/conversation-server";
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
  for await (const assistant of listAssistants(server))
    yield { assistant, versions: await readVersions(server, assistant.assistant_id) };
}

const listAssistants = (server: ConversationServer) =>
  listAll<SavedAssistant["assistant"]>(server, { path: "/assistants/search", idOf: (one) => one.assistant_id });

/** Lists the versions of an assistant, oldest first; none where it does not exist, or the server lists none. */
export async function readVersions(server: ConversationServer, id: string): Promise<Fields[]> {
  const versions: Fields[] = [];
  const idOf = ({ version }: Fields) => String(version);
  const exists = async () => {
    for await (const { assistant_id: other } of listAssistants(server)) if (other === id) return true;
    return false;
  };
  const read = async (route: Route) => {
    // The newest version is the first, and a page after the last one is not found either.
    const isWhole = versions.some(({ version }) => Number(version) === 1);
    const readAgain = () => (isWhole ? undefined : server.readOptional("assistant-versions", route, exists));
    return server.read(route).catch(recover(({ isNotFound }) => isNotFound, readAgain));
  };
  const list = { path: `/assistants/${id}/versions`, idOf, read };
  for await (const version of listAll(server, list)) versions.push(version);
  return versions.toSorted((one, other) => Number(one.version) - Number(other.version));
}

/** Lists the stored items; none where the server has no store. Reading does not prolong their life. */
export async function* readItems(server: ConversationServer): AsyncGenerator<SavedItem> {
  const body = { namespace_prefix: [], refresh_ttl: false };
  const read = (route: Route) => server.readOptional("store-search", route);
  const list = { path: "/store/items/search", body, field: "items", idOf: nameOfItem, read };
  for await (const { namespace, key, value } of listAll<SavedItem>(server, list)) yield { namespace, key, value };
}

export const nameOfItem = ({ namespace, key }: Omit<SavedItem, "value">): string => JSON.stringify([namespace, key]);

/** Lists the crons; none where the server has none. */
export async function* readCrons(server: ConversationServer): AsyncGenerator<SavedCron> {
  const idOf = ({ cron_id: id }: SavedCron) => id;
  const read = (route: Route) => server.readOptional("crons-search", route);
  const list = { path: "/runs/crons/search", idOf, read };
  for await (const { payload, ...cron } of listAll(server, list)) {
    // A webhook may contain a secret.
    const { webhook, ...kept } = payload ?? {};
    yield { ...cron, payload: kept, ...(webhook != null && { hadWebhook: true }) };
  }
}
