/** Writes everything that an agent server keeps for its users into a backup. */
import { createHash } from "node:crypto";
import { AbsenceCheck } from "../api/absence";
import { UserError } from "../text/user-error";
import { readAssistants, readCrons, readItems } from "./catalog/read-catalog";
import { forEachConcurrently } from "./concurrently";
import type { BackupWriter } from "./file/backup-writer";
import type { Manifest } from "./file/manifest";
import { toComparable } from "./lossless-json";
import { type ConversationServer, type ListedThread, RejectedError } from "./server/conversation-server";
import { Graphs } from "./server/graphs";
import { listThreads } from "./server/list-threads";
import { isWaiting } from "./thread/plan";
import { BusyError, readConversation } from "./thread/read-thread";

export interface BackupOptions {
  server: ConversationServer;
  about: Manifest["server"];
  writer: BackupWriter;
  graph?: string | undefined;
  /** Called before anything is written where the server shows no thread; by default an error. */
  onEmpty?(): void | Promise<void>;
  /** How often to wait for a busy thread before it is reported. */
  busyTries: number;
  sleep(milliseconds: number): Promise<void>;
  now(): number;
  /** Called after each thread. */
  onProgress(progress: Progress): void;
  /** Threads that have expired, as passes have found. This one adds those that it finds. */
  knownExpired?: Set<string>;
}

export interface Progress {
  done: number;
  /** As far as it is known. */
  total: number;
  busy: number;
  failed: number;
}

export interface BackupResult {
  manifest: Manifest;
  /** Threads that are not in the backup, by why. */
  missing: { id: string; reason: string }[];
  /** Threads that no longer existed when they were read. */
  expired: number;
  unchanged: number;
  /** Threads that an earlier run has written and that the server no longer lists: they are not in the backup. */
  removed: number;
}

export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { server, about, writer, graph, now } = options;
  const { onEmpty = () => refuseEmpty(about.url) } = options;
  // Only what is listed can be backed up, whatever the server counts.
  if (!(await hasThreads(server))) await onEmpty();
  await writer.begin(about.url, graph);
  const startedAt = new Date(now()).toISOString();
  const run = new Run(options, (await server.readCount()) ?? 0);
  const assistants = await writer.writeLines("assistants", linesOf(readAssistants(server)));
  const items = await writer.writeLines("store", linesOf(readItems(server)));
  await run.readThreads();
  const crons = await writer.writeLines("crons", linesOf(readCrons(server)));
  // A thread that could not be read this time stays as an earlier run has written it.
  const ids = new Set([...run.written, ...run.missing.map(({ id }) => id)]);
  const manifest = await writer.finish(({ id }) => ids.has(id), {
    ...{ server: about, startedAt, finishedAt: new Date(now()).toISOString() },
    ...(graph !== undefined && { graph }),
    counts: { assistants, items, crons },
  });
  const { missing, expired, unchanged } = run;
  return { manifest, missing, expired, unchanged, removed: writer.size - manifest.counts.threads };
}

function refuseEmpty(url: string): never {
  throw new UserError(
    `${url} shows no thread to this API key. If it has none, pass --empty-is-right; a key that may see none ` +
      "looks the same, so pass the --header of an administrator.",
  );
}

async function hasThreads(server: ConversationServer): Promise<boolean> {
  for await (const _ of listThreads(server)) return true;
  return false;
}

async function* linesOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield JSON.stringify(value);
}

class Run {
  readonly written = new Set<string>();
  readonly missing: { id: string; reason: string }[] = [];
  expired = 0;
  unchanged = 0;
  /** Threads of which the server found nothing when they were read: a proxy may have said so. */
  private readonly notFound: ListedThread[] = [];
  private readonly graphs: Graphs;
  private readonly progress: Progress;
  private found = 0;

  constructor(
    private readonly options: BackupOptions,
    total: number,
  ) {
    this.graphs = new Graphs(options.server);
    this.progress = { done: 0, total, busy: 0, failed: 0 };
  }

  async readThreads(): Promise<void> {
    const { server, graph, onProgress } = this.options;
    const threads = listThreads(server, graph === undefined ? {} : { metadata: { graph_id: graph } });
    await forEachConcurrently(threads, async (thread) => {
      this.found += 1;
      this.progress.total = Math.max(this.progress.total, this.found);
      await this.readThread(thread);
    });
    await this.readAgain();
    onProgress(this.progress);
  }

  /** Reads the threads that were not found. Those that stay missing have expired. */
  private async readAgain(): Promise<void> {
    const { server, sleep, now, knownExpired } = this.options;
    const threads = this.notFound.splice(0);
    const read = async (id: string) => !(await server.isMissing(`/threads/${id}`)) || undefined;
    const absence = new AbsenceCheck({
      ...{ clock: { sleep, monotonic: now }, noun: "threads", read },
      // Lists contain threads that have expired.
      ...{ list: async () => undefined, hasList: () => false },
    });
    await Promise.all(
      threads.map(async (thread) => {
        if (await absence.find(thread.thread_id)) return this.readThread(thread);
        this.expired += 1;
        knownExpired?.add(thread.thread_id);
      }),
    );
    for (const thread of this.notFound) this.miss(thread, "the server does not always find it");
  }

  private async readThread(thread: ListedThread): Promise<void> {
    const { server, onProgress, knownExpired } = this.options;
    const { thread_id: id } = thread;
    try {
      await this.save(thread);
      this.progress.done += 1;
    } catch (error) {
      if (error instanceof BusyError) this.miss(thread, "a run writes to it");
      else if (error instanceof RangeError) this.miss(thread, `it is too large or deep: ${error.message}`);
      else if (!(error instanceof RejectedError)) throw error;
      // The state of a thread whose graph the server lacks is not found either.
      else if (error.status !== 404) this.miss(thread, error.message);
      else if (!(await server.isMissing(`/threads/${id}`))) this.miss(thread, error.message);
      else if (knownExpired?.has(id)) this.expired += 1;
      else this.notFound.push(thread);
    }
    onProgress(this.progress);
  }

  private miss({ thread_id: id }: ListedThread, reason: string): void {
    this.progress.failed += 1;
    this.missing.push({ id, reason });
  }

  private async save(thread: ListedThread): Promise<void> {
    const { server, writer } = this.options;
    const { thread_id: id } = thread;
    const saved = writer.find(id);
    const isSame = saved?.thread === digestOfThread(thread) && thread.status !== "busy";
    if (isSame && (await server.readLatest(id)) === saved.latest) {
      this.unchanged += 1;
      this.written.add(id);
      return;
    }
    const read = (found: ListedThread) => readConversation(found, server, this.graphs);
    let current = thread.status === "busy" ? await this.waitFor(thread) : thread;
    let conversation = await read(current);
    const [last] = conversation.history;
    // The list may be minutes old: a run may write to what has not ended.
    if (last && last.next.length > 0 && !(current.status === "interrupted" && isWaiting(last))) {
      current = await this.waitFor(thread);
      conversation = await read(current);
    }
    const { history, graphId, digest } = conversation;
    const latest = history[0]?.checkpoint.checkpoint_id;
    const { status } = current;
    const entry = {
      id,
      digest,
      thread: digestOfThread(current),
      ...(status && { status }),
      ...(graphId && { graphId }),
      ...(latest && { latest }),
    };
    await writer.append(entry, JSON.stringify(conversation));
    this.written.add(id);
  }

  /** Waits until no run writes to a thread. @throws BusyError. */
  private async waitFor({ thread_id: id }: ListedThread): Promise<ListedThread> {
    const { server, busyTries, sleep } = this.options;
    this.progress.busy += 1;
    try {
      for (let tries = 0; ; tries++) {
        const route = { method: "GET", path: `/threads/${id}` } as const;
        const { thread_id, created_at, status, metadata } = await server.readJson<ListedThread>(route);
        if (status !== "busy") return { thread_id, created_at, status, metadata };
        if (tries >= busyTries) throw new BusyError(id);
        await sleep(1000);
      }
    } finally {
      this.progress.busy -= 1;
    }
  }
}

/** Servers in JavaScript do not note that a state was written, so the latest checkpoint is compared as well. */
const digestOfThread = ({ status, metadata }: ListedThread): string =>
  createHash("sha256")
    .update(toComparable([status, metadata]))
    .digest("hex");
