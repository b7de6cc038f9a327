/** Writes a backup to an agent server. */
import { ConcurrencyLimiter } from "../http/limits";
import { UserError } from "../text/user-error";
import {
  enableCron,
  type SavedAssistant,
  type SavedCron,
  type SavedItem,
  writeAssistant,
  writeItem,
  writePausedCron,
} from "./catalog";
import type { ConversationServer } from "./conversation-server";
import type { BackupReader } from "./file/backup-reader";
import type { Journal } from "./file/journal";
import type { Entry } from "./file/manifest";
import { Graphs } from "./graphs";
import { listThreads } from "./list-threads";
import { parseLossless } from "./lossless-json";
import { lineOf } from "./plan";
import type { Conversation } from "./read-thread";
import { type LearnedGraphs, type Restored, removeThread, restoreConversation, type Waiting } from "./restore-thread";

const CONCURRENCY = 4;

export const PARTS = ["threads", "assistants", "store", "crons"] as const;
export type Part = (typeof PARTS)[number];

export interface RestoreBackupOptions {
  reader: BackupReader;
  target: ConversationServer;
  targetUrl: string;
  journal: Journal;
  parts: ReadonlySet<Part>;
  /** Undefined: refuses where threads wait. */
  waiting: Waiting | undefined;
  isCrossLanguage: boolean;
  onProgress(done: number, total: number): void;
}

export interface RestoreResult {
  counts: Record<Restored["level"], number>;
  /** By what is not the same, the number of threads. */
  losses: Map<string, number>;
  ranAgain: Map<string, number>;
  /** Threads that were not restored. */
  failed: { id: string; reason: string }[];
  asked: number;
  assistants: number;
  items: number;
  crons: number;
  notes: string[];
}

export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoreResult> {
  const restore = new Restore(options);
  const { parts } = options;
  if (parts.has("threads")) await restore.assertPossible();
  if (parts.has("store")) await restore.writeItems();
  // Edges of graphs may read them while threads are written.
  if (parts.has("assistants")) await restore.writeAssistants();
  if (parts.has("threads")) await restore.writeThreads();
  if (parts.has("crons")) await restore.writeCrons();
  return restore.result;
}

class Restore {
  readonly result: RestoreResult = {
    counts: { whole: 0, latest: 0, none: 0 },
    ...{ losses: new Map(), ranAgain: new Map(), failed: [], notes: [] },
    ...{ asked: 0, assistants: 0, items: 0, crons: 0 },
  };
  private readonly graphs: Graphs;
  private readonly learned: LearnedGraphs = new Map();

  constructor(private readonly options: RestoreBackupOptions) {
    this.graphs = new Graphs(options.target);
  }

  /** @throws UserError before anything is written. */
  async assertPossible(): Promise<void> {
    const { reader, target, targetUrl, journal, waiting, isCrossLanguage } = this.options;
    const { manifest, entries } = reader;
    if (new URL(manifest.server.url).href === new URL(targetUrl).href)
      throw new UserError(`The backup was made of ${targetUrl}. Restore it to another agent server.`);
    const language = target.isPython ? "python" : "javascript";
    if (manifest.server.language !== language && !isCrossLanguage)
      throw new UserError(
        `The backup was made of a server in ${manifest.server.language}, and ${targetUrl} is one in ${language}: messages take another form there. To restore it nevertheless, pass --cross-language.`,
      );
    const graphs = new Set(entries.flatMap(({ graphId }) => graphId ?? []));
    for (const graph of graphs)
      if (!(await this.graphs.has(graph)))
        throw new UserError(
          `${targetUrl} has no graph "${graph}", which threads of the backup need. Nothing was written.`,
        );
    const waits = entries.filter(({ status }) => status === "interrupted").length;
    if (waits > 0 && waiting === undefined)
      throw new UserError(
        `${waits} threads of the backup wait for an answer. Asking again runs their nodes up to the question once more. Pass --waiting ask-again, leave or skip.`,
      );
    const own = new Set(entries.map(({ id }) => id));
    for await (const { thread_id: id } of listThreads(target))
      if (own.has(id) && !journal.get(id))
        throw new UserError(
          `${targetUrl} already has thread ${id} of the backup, which this restore did not write. Nothing was written.`,
        );
  }

  async writeThreads(): Promise<void> {
    const { reader, onProgress } = this.options;
    const limiter = new ConcurrencyLimiter(CONCURRENCY);
    let done = 0;
    const pending = new Set<Promise<void>>();
    for (const entry of reader.entries) {
      const writing: Promise<void> = limiter
        .run(() => this.writeThread(entry))
        .finally(() => {
          pending.delete(writing);
          onProgress(++done, reader.entries.length);
        });
      pending.add(writing);
      if (pending.size >= CONCURRENCY * 2) await Promise.race(pending);
    }
    await Promise.all(pending);
  }

  private async writeThread(entry: Entry): Promise<void> {
    const { reader, target, journal, waiting = "leave" } = this.options;
    const known = journal.get(entry.id);
    if (known?.state === "done") {
      const { level = "whole", losses = [], ranAgain = [] } = known;
      return this.count(entry.id, { level: level as Restored["level"], losses, ranAgain });
    }
    // An earlier run may have written a part of it.
    if (known) await removeThread(entry.id, target);
    await journal.note({ id: entry.id, state: "begin" });
    const conversation = parseLossless(await reader.read(entry)) as Conversation;
    const { graphs, learned } = this;
    const restored = await restoreConversation(conversation, { target, graphs, waiting, learned });
    const isAsked =
      waiting === "ask-again" &&
      lineOf(conversation.history)
        .at(-1)
        ?.tasks.some((task) => task.interrupts?.length);
    if (isAsked && restored.level !== "none") this.result.asked += 1;
    await journal.note({ id: entry.id, state: "done", ...restored });
    this.count(entry.id, restored);
  }

  private count(id: string, { level, losses, ranAgain }: Restored): void {
    const { result } = this;
    result.counts[level] += 1;
    if (level === "none") result.failed.push({ id, reason: losses[0] ?? "unknown" });
    else for (const loss of losses) result.losses.set(loss, (result.losses.get(loss) ?? 0) + 1);
    for (const node of ranAgain) result.ranAgain.set(node, (result.ranAgain.get(node) ?? 0) + 1);
  }

  async writeItems(): Promise<void> {
    for await (const line of this.options.reader.lines("store.ndjson.zst")) {
      await writeItem(parseLossless(line) as SavedItem, this.options.target);
      this.result.items += 1;
    }
  }

  async writeAssistants(): Promise<void> {
    const { reader, target, journal } = this.options;
    for await (const line of reader.lines("assistants.ndjson.zst")) {
      const saved = parseLossless(line) as SavedAssistant;
      const { assistant_id: id } = saved.assistant;
      if (journal.get(id)?.state === "done") continue;
      const note = await writeAssistant(saved, target);
      if (note !== undefined) this.result.notes.push(note);
      await journal.note({ id, state: "done" });
      this.result.assistants += 1;
    }
  }

  /** Creates all crons before the first one fires. */
  async writeCrons(): Promise<void> {
    const { reader, target, journal } = this.options;
    const created: [string, SavedCron][] = [];
    for await (const line of reader.lines("crons.ndjson.zst")) {
      const cron = parseLossless(line) as SavedCron;
      if (journal.get(cron.cron_id)?.state === "done") continue;
      const id = await writePausedCron(cron, target);
      if (cron.payload?.webhook != null) this.result.notes.push(`cron ${id} has no webhook: the backup contains none`);
      await journal.note({ id: cron.cron_id, state: "done" });
      if (cron.enabled !== false) created.push([id, cron]);
      this.result.crons += 1;
    }
    for (const [id, cron] of created) await enableCron(id, cron, target);
  }
}
