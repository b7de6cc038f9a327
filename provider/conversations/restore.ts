/** Writes a backup to an agent server. */
import { UserError } from "../text/user-error";
import type { SavedAssistant, SavedCron, SavedItem } from "./catalog/read-catalog";
import { type CatalogTarget, writeAssistant, writeCrons, writeItems } from "./catalog/restore-catalog";
import { forEachConcurrently } from "./concurrently";
import type { BackupReader } from "./file/backup-reader";
import type { Journal } from "./file/journal";
import type { Entry } from "./file/manifest";
import { parseLossless } from "./lossless-json";
import { assertOwners, compareAsOwner, type OwnerHeader, Owners, readEntry } from "./owners";
import { type ConversationServer, recoverRejection } from "./server/conversation-server";
import { Graphs } from "./server/graphs";
import { listThreads } from "./server/list-threads";
import type { LearnedGraphs } from "./thread/learning";
import { removeOwn } from "./thread/own-thread";
import { isWaiting } from "./thread/plan";
import { type Restored, restoreConversation, type Waiting } from "./thread/restore-thread";

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
  /** Whether the target is certainly another server than that of the backup, also at the same URL. */
  isOther?: boolean;
  /** Whether only the latest state of each thread is written. */
  isLatestOnly?: boolean;
  /** By which each thread is restored as its owner. */
  ownerHeader?: OwnerHeader | undefined;
  /** Whether a program creates a cron again, beside which this one would fire, too. Undefined: it is only paused. */
  isDeclared(cron: SavedCron): boolean | undefined;
  onProgress(done: number, total: number): void;
}

export interface RestoreResult {
  counts: Record<Restored["level"], number>;
  /** By what is not the same, the threads. */
  losses: Map<string, string[]>;
  ranAgain: Map<string, number>;
  /** Threads that were not restored. */
  failed: { id: string; reason: string }[];
  /** Stored items, assistants and crons that the server rejects. */
  rejected: { what: string; reason: string }[];
  asked: number;
  /** Owners as whom a thread was read afterwards. */
  owners: number;
  assistants: number;
  items: number;
  crons: number;
  notes: string[];
}

export async function restoreBackup(options: RestoreBackupOptions): Promise<RestoreResult> {
  const restore = new Restore(options);
  const { parts } = options;
  restore.assertOther();
  if (parts.has("threads")) await restore.assertPossible();
  // Before the first write, which assertOwners may make: without a journal, nothing could be continued.
  await options.journal.begin();
  if (parts.has("threads")) await restore.assertOwners();
  if (parts.has("store")) await restore.writeItems();
  // Edges of graphs may read them while threads are written.
  if (parts.has("assistants")) await restore.writeAssistants();
  if (parts.has("threads")) await restore.writeThreads();
  if (parts.has("crons")) await restore.writeCrons();
  if (parts.has("threads")) await restore.checkOwners();
  return restore.result;
}

/** What may have an owner. */
type Owned = { metadata?: Record<string, unknown> | null };

class Restore {
  readonly result: RestoreResult = {
    counts: { whole: 0, latest: 0, none: 0 },
    ...{ losses: new Map(), ranAgain: new Map(), failed: [], rejected: [], notes: [] },
    ...{ asked: 0, owners: 0, assistants: 0, items: 0, crons: 0 },
  };
  private readonly graphs: Graphs;
  private readonly learned: LearnedGraphs = new Map();
  private readonly owners: Owners;
  /** A thread of each owner. */
  private readonly samples = new Map<string, Entry>();

  constructor(private readonly options: RestoreBackupOptions) {
    this.graphs = new Graphs(options.target);
    this.owners = new Owners(options.target, options.ownerHeader);
  }

  /** @throws UserError when the target is the server of the backup, or one in the other language. */
  assertOther(): void {
    const { reader, target, targetUrl, isCrossLanguage, isOther = false } = this.options;
    const { manifest } = reader;
    if (!isOther && new URL(manifest.server.url).href === new URL(targetUrl).href)
      throw new UserError(`The backup was made of ${targetUrl}. Restore it to another agent server.`);
    const language = target.isPython ? "python" : "javascript";
    if (manifest.server.language !== language && !isCrossLanguage)
      throw new UserError(
        `The backup was made of a server in ${manifest.server.language}, and ${targetUrl} is one in ` +
          `${language}: messages take another form there. To restore it nevertheless, pass --cross-language.`,
      );
  }

  /** @throws UserError before anything is written. */
  async assertPossible(): Promise<void> {
    const { reader, target, targetUrl, journal, waiting, isLatestOnly = false } = this.options;
    const { entries } = reader;
    const graphs = new Set(entries.flatMap(({ graphId }) => graphId ?? []));
    for (const graph of graphs)
      if (!(await this.graphs.has(graph)))
        throw new UserError(
          `${targetUrl} has no graph "${graph}", which threads of the backup need. Nothing was written. ` +
            "Deploy it first.",
        );
    const waits = entries.filter(({ status }) => status === "interrupted").length;
    if (waits > 0 && waiting === undefined && !isLatestOnly)
      throw new UserError(
        `${waits} ${waits === 1 ? "thread of the backup waits" : "threads of the backup wait"} for an answer. ` +
          "Asking again runs their nodes up to the question once more. Pass --waiting ask-again, leave or skip.",
      );
    const own = new Set(entries.map(({ id }) => id));
    for await (const { thread_id: id } of listThreads(target))
      if (own.has(id) && (journal.get(id)?.state ?? "failed") === "failed")
        throw new UserError(
          `${targetUrl} already has thread ${id} of the backup, which this restore did not write. ` +
            "Nothing was written. Delete it there, or use another server.",
        );
  }

  async assertOwners(): Promise<void> {
    const { reader, journal, targetUrl } = this.options;
    const written = await assertOwners({ reader, journal, targetUrl, owners: this.owners });
    for (const [key, value] of Object.entries(written))
      this.result.notes.push(`the server writes ${JSON.stringify(value)} into ${key} of each thread`);
  }

  async checkOwners(): Promise<void> {
    for (const [owner, entry] of this.samples) {
      const different = await compareAsOwner(await readEntry(entry, this.options.reader), this.owners);
      if (different === undefined) this.result.owners += 1;
      else this.result.failed.push({ id: entry.id, reason: `its owner (${owner}) sees another thread: ${different}` });
    }
  }

  async writeThreads(): Promise<void> {
    const { reader, onProgress } = this.options;
    let done = 0;
    await forEachConcurrently(reader.entries, async (entry) => {
      const fail = ({ message }: Error) => this.count(entry.id, { level: "none", losses: [message], ranAgain: [] });
      await this.writeThread(entry).catch(recoverRejection(fail));
      onProgress(++done, reader.entries.length);
    });
  }

  private async writeThread(entry: Entry): Promise<void> {
    const { journal, waiting = "leave", isLatestOnly = false } = this.options;
    const { id, digest } = entry;
    const known = journal.get(id);
    if (known?.state === "done" && known.digest === digest) {
      const { level = "whole", losses = [], ranAgain = [] } = known;
      return this.count(id, { level: level as Restored["level"], losses, ranAgain });
    }
    const conversation = await readEntry(entry, this.options.reader);
    const { metadata } = conversation.thread;
    const target = this.owners.serverFor(metadata);
    // An earlier run may have written a part of it, or the whole of what a newer backup has changed.
    const isWritten = known !== undefined && known.state !== "failed";
    const kept = isWritten ? await removeOwn(conversation, target) : undefined;
    if (kept !== undefined) return this.count(id, { level: "none", losses: [kept], ranAgain: [] });
    await journal.note({ id, state: "begin" });
    const { graphs, learned } = this;
    const restored = await restoreConversation(conversation, { target, graphs, waiting, learned, isLatestOnly });
    const [last] = conversation.history;
    if (last && isWaiting(last) && waiting === "ask-again" && restored.level !== "none") this.result.asked += 1;
    const owner = restored.level === "none" ? undefined : this.owners.ownerOf(metadata);
    if (owner !== undefined && !this.samples.has(owner)) this.samples.set(owner, entry);
    await journal.note({ id, state: restored.level === "none" ? "failed" : "done", digest, ...restored });
    this.count(id, restored);
  }

  private count(id: string, { level, losses, ranAgain }: Restored): void {
    const { result } = this;
    result.counts[level] += 1;
    if (level === "none") result.failed.push({ id, reason: losses[0] ?? "unknown" });
    else for (const loss of losses) result.losses.set(loss, [...(result.losses.get(loss) ?? []), id]);
    for (const node of ranAgain) result.ranAgain.set(node, (result.ranAgain.get(node) ?? 0) + 1);
  }

  async writeItems(): Promise<void> {
    this.result.items = await writeItems(this.linesOf<SavedItem>("store"), this.targetFor({}));
  }

  async writeAssistants(): Promise<void> {
    for await (const saved of this.linesOf<SavedAssistant>("assistants")) {
      const target = { ...this.targetFor(saved.assistant), hasGraph: (graphId: string) => this.graphs.has(graphId) };
      const what = `assistant ${saved.assistant.assistant_id}`;
      if (await this.unlessRejected(what, () => writeAssistant(saved, target))) this.result.assistants += 1;
    }
  }

  async writeCrons(): Promise<void> {
    const targetFor = (cron: Owned) => this.targetFor(cron).target;
    this.result.crons = await writeCrons(this.crons(), { ...this.targetFor({}), targetFor });
  }

  private async *crons(): AsyncGenerator<SavedCron> {
    const { isDeclared, isOther, journal } = this.options;
    for await (const cron of this.linesOf<SavedCron>("crons")) {
      const { cron_id: id } = cron;
      const isOfProgram = isDeclared(cron);
      if (isOfProgram === undefined) {
        this.result.notes.push(`what was cron ${id} is paused: nothing shows whether the program creates it`);
        yield { ...cron, enabled: false };
      } else if (!isOfProgram || journal.get(id)) yield cron;
      else if (!isOther) this.result.notes.push(`cron ${id} was left out: the program that declares it creates it`);
    }
  }

  private targetFor({ metadata }: Owned): CatalogTarget {
    const note = (text: string) => void this.result.notes.push(text);
    const { journal } = this.options;
    return { target: this.owners.serverFor(metadata), journal, note, unlessRejected: this.unlessRejected.bind(this) };
  }

  private unlessRejected<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    const note = ({ message: reason }: Error) => void this.result.rejected.push({ what, reason });
    return work().catch(recoverRejection(note));
  }

  private async *linesOf<T>(name: "assistants" | "store" | "crons"): AsyncGenerator<T> {
    for await (const line of this.options.reader.lines(name)) yield parseLossless(line) as T;
  }
}
