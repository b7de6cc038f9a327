/** Writes assistants, stored items and crons to a server. What it has from others is left as it is. */
import { ignoreNotFound } from "../../http/errors";
import type { Journal } from "../file/journal";
import { parse } from "../file/manifest";
import { isSameJson, parseLossless, toComparable } from "../lossless-json";
import { type ConversationServer, RejectedError } from "../server/conversation-server";
import { isSameContent, stepTo } from "./assistant-versions";
import type { SavedAssistant, SavedCron, SavedItem } from "./read-catalog";
import { type Fields, nameOfItem, readCrons, readItems, readVersions } from "./read-catalog";

export interface CatalogTarget {
  target: ConversationServer;
  journal: Journal;
  /** Receives what is not the same. */
  note(text: string): void;
  /** Notes an object that the server rejects, and returns undefined then. @throws All other errors of the work. */
  unlessRejected<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** Creates an assistant's versions, or those that an interrupted restore lacks. Returns whether it did. */
export async function writeAssistant(
  { assistant, versions }: SavedAssistant,
  { target, journal, note, hasGraph }: CatalogTarget & { hasGraph(graphId: string): Promise<boolean> },
): Promise<boolean> {
  const { assistant_id: id, graph_id, version } = assistant;
  const path = `/assistants/${id}`;
  const known = journal.get(id);
  if (known?.state === "done") return false;
  const found = await target.readJson<Fields>({ method: "GET", path }).catch(ignoreNotFound);
  if (assistant.metadata?.created_by === "system") {
    // With custom authentication, nobody may see them.
    const isPlain = isSameJson([assistant.config ?? {}, assistant.context ?? {}], [{}, {}]);
    const isSame = found ? isSameContent(found, assistant, target.isPython) : isPlain;
    if (!isSame) note(`the default assistant of graph "${graph_id}" has other content, or does not exist`);
    return false;
  }
  if (found && !known) {
    note(`assistant ${id} exists and was left as it is`);
    return false;
  }
  const all = versions.length > 0 ? versions : [assistant];
  const possible: Fields[] = [];
  for (const one of all) possible.push((await hasGraph(one.graph_id as string)) ? one : { ...one, graph_id });
  const written = found ? (await readVersions(target, id)).length : 0;
  await journal.note({ id, state: "begin" });
  const write = async (method: "POST" | "PATCH", path: string, body: Fields) =>
    parseLossless(await target.write({ method, path, body })) as Fields;
  let current = found ?? {};
  let different = 0;
  for (const [index, one] of possible.entries()) {
    if (index < written) continue;
    const { returnTo, body } = stepTo(one, current, possible.slice(0, index), target.isPython);
    if (returnTo !== undefined) await write("POST", `${path}/latest`, { version: returnTo });
    current =
      index > 0
        ? await write("PATCH", path, body)
        : await write("POST", "/assistants", { assistant_id: id, ...body, if_exists: "raise" });
    if (!isSameContent(current, all[index] ?? one, target.isPython)) different += 1;
  }
  if (different > 0) note(`${different} of ${all.length} versions of assistant ${id} have other content`);
  if (version !== undefined && version !== all.length) await write("POST", `${path}/latest`, { version });
  await journal.note({ id, state: "done" });
  return true;
}

/** Writes the items that the server does not have. Returns their number. */
export async function writeItems(
  items: AsyncIterable<SavedItem>,
  { target, note, unlessRejected }: Pick<CatalogTarget, "target" | "note" | "unlessRejected">,
): Promise<number> {
  const held = new Map<string, string>();
  for await (const item of readItems(target)) held.set(nameOfItem(item), toComparable(item.value));
  let count = 0;
  for await (const { namespace, key, value } of items) {
    const found = held.get(nameOfItem({ namespace, key }));
    if (found === undefined) {
      const write = () => target.write({ method: "PUT", path: "/store/items", body: { namespace, key, value } });
      const written = await unlessRejected(`stored item ${key} in ${namespace.join(".")}`, write);
      if (written !== undefined) count += 1;
    } else if (found !== toComparable(value))
      note(`the stored item ${key} in ${namespace.join(".")} has another value, and was left as it is`);
  }
  return count;
}

const CRON_FIELDS = ["assistant_id", "thread_id", "schedule", "timezone", "end_time", "on_run_completed"] as const;
/** What the request names in another way, or a server adds. */
const NOT_SENT: ReadonlySet<string> = new Set(["enabled", "schedule", "metadata", "config"]);

/** Creates all crons paused, and starts them when each exists. Returns the number of those that it created. */
export async function writeCrons(
  crons: AsyncIterable<SavedCron>,
  { targetFor, journal, note, unlessRejected }: CatalogTarget & { targetFor(cron: SavedCron): ConversationServer },
): Promise<number> {
  const toStart: { id: string; cron: SavedCron }[] = [];
  /** Equal ones of the backup are equal here, too. */
  const taken = new Set(journal.created);
  /** What each server had before this restore created any. */
  const listed = new Map<ConversationServer, SavedCron[]>();
  let count = 0;
  for await (const cron of crons) {
    const known = journal.get(cron.cron_id);
    if (known?.state === "done") continue;
    const target = targetFor(cron);
    const find = async (others: readonly string[] = []) =>
      findPaused(cron, await listCrons(target)).find((id) => !taken.has(id) && !others.includes(id));
    const createNew = async () => {
      const before = listed.get(target) ?? (await listCrons(target));
      listed.set(target, before);
      const others = findPaused(cron, before);
      await journal.note({ id: cron.cron_id, state: "begin", ...(others.length > 0 && { others }) });
      return create(cron, target, () => find(others));
    };
    const id =
      known?.created ??
      (known && (await find(known.others))) ??
      (await unlessRejected(`cron ${cron.cron_id}`, createNew));
    if (id === undefined) continue;
    taken.add(id);
    await journal.note({ id: cron.cron_id, state: "begin", created: id });
    if (cron.hadWebhook) note(`cron ${id} has no webhook: a backup contains none`);
    toStart.push({ id, cron });
    count += 1;
  }
  for (const { id, cron } of toStart) {
    // The schedule is part of the request: otherwise some servers fire at once.
    const body = { schedule: cron.schedule, enabled: true };
    const start = () => targetFor(cron).write({ method: "PATCH", path: `/runs/crons/${id}`, body });
    if (cron.enabled !== false && (await unlessRejected(`cron ${id}, which is paused`, start)) === undefined) continue;
    await journal.note({ id: cron.cron_id, state: "done", created: id });
  }
  return count;
}

async function create(
  cron: SavedCron,
  target: ConversationServer,
  find: () => Promise<string | undefined>,
): Promise<string> {
  const { thread_id: threadId } = cron;
  const path = typeof threadId === "string" ? `/threads/${threadId}/runs/crons` : "/runs/crons";
  const route = { method: "POST", path, body: { ...toBody(cron), enabled: false } } as const;
  const text = await target.write(route);
  // Not every server names the cron that it has created.
  const id: string | undefined = Object(parse(text)).cron_id ?? (await find());
  if (id === undefined) throw new RejectedError(route, 200, text);
  return id;
}

function toBody(cron: SavedCron): Fields {
  const payload = Object.entries(cron.payload ?? {}).filter(([key, value]) => value != null && !NOT_SENT.has(key));
  const fields = [...CRON_FIELDS, "metadata"].flatMap((key) => (cron[key] == null ? [] : [[key, cron[key]]]));
  const { configurable, ...config } = (cron.payload?.config ?? {}) as Fields & { configurable?: Fields };
  const { cron_id: _, ...own } = configurable ?? {};
  const sent = { ...config, ...(Object.keys(own).length > 0 && { configurable: own }) };
  return {
    ...Object.fromEntries(payload),
    ...Object.fromEntries(fields),
    ...(Object.keys(sent).length > 0 && { config: sent }),
  };
}

async function listCrons(target: ConversationServer): Promise<SavedCron[]> {
  const crons: SavedCron[] = [];
  for await (const cron of readCrons(target)) crons.push(cron);
  return crons;
}

/** Returns the IDs of the paused crons that are as this restore creates one. */
function findPaused(cron: SavedCron, all: readonly SavedCron[]): string[] {
  const wanted = toBody(cron);
  return all.flatMap((one) => (one.enabled === false && isSameJson(toBody(one), wanted) ? one.cron_id : []));
}
