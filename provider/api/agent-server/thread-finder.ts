/** Finds threads by their IDs, in one search for concurrent calls, and decides whether one is gone. */
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { AbsenceCheck, PartialList } from "../absence";
import { createIdReader, createLoader } from "../batch";
import type { LearnedProfile } from "../profile/learned-profile";
import type { Thread } from "./threads";

/** Threads per search. The interface has no limit, live servers allow a thousand. */
export const MAX_IDS = 100;

export interface ThreadSource {
  url: string;
  clock: Clock;
  profile: Pick<LearnedProfile, "has" | "learn">;
  load(id: string): Promise<Thread | undefined>;
  search(body: { ids: readonly string[]; limit: number }): Promise<Thread[]>;
  list(): Promise<{ items: Thread[]; isTruncated: boolean }>;
}

export class ThreadFinder {
  /** Returns a thread, for callers to whom a stray 404 does no harm: undefined when the server returns 404 for it. */
  readonly peek: (id: string) => Promise<Thread | undefined>;
  /** The same for threads that probably do not exist: one search shows that for all concurrent calls. */
  readonly lookUp: (id: string) => Promise<Thread | undefined>;
  private readonly absence: AbsenceCheck<Thread>;

  constructor(private readonly source: ThreadSource) {
    const { clock, load } = source;
    this.peek = createIdReader<Thread, Thread | undefined>({
      readMany: async (ids) => (await this.searchByIds(ids)) ?? [],
      readOne: load,
      idOf: ({ threadId }) => threadId,
      maxBatchSize: MAX_IDS,
    });
    this.lookUp = createLoader<Thread | undefined>((ids) => this.loadSome(ids), { maxBatchSize: MAX_IDS });
    this.absence = new AbsenceCheck({ clock, noun: "threads", read: load, list: (ids) => this.searchExisting(ids) });
  }

  async find(id: string): Promise<Thread | undefined> {
    return (await this.peek(id)) ?? this.absence.find(id);
  }

  private async loadSome(ids: readonly string[]): Promise<(Thread | undefined | Error)[]> {
    const found = ids.length > 1 ? await this.searchByIds(ids) : undefined;
    if (!found) return Promise.all(ids.map((id) => this.source.load(id).catch((error: Error) => error)));
    const byId = new Map(found.map((thread) => [thread.threadId, thread]));
    return ids.map((id) => byId.get(id));
  }

  /** Searches for threads by their IDs; undefined where nothing is known, since the server rejects or ignores the IDs. */
  private async searchByIds(ids: readonly string[]): Promise<Thread[] | undefined> {
    const { profile } = this.source;
    if (profile.has("threads-by-id") === false) return undefined;
    const requestedIds = new Set(ids.map((id) => id.toLowerCase()));
    const threads = await this.source.search({ ids, limit: ids.length }).catch((error: unknown) => {
      if (!(error instanceof HttpError) || !error.isRejection) throw error;
      if (error.status === 400 || error.status === 422) profile.learn("threads-by-id", false);
      return undefined;
    });
    const ignoresIds = threads?.some(({ threadId }) => !requestedIds.has(threadId.toLowerCase())) ?? false;
    if (ignoresIds) profile.learn("threads-by-id", false);
    return ignoresIds ? undefined : threads;
  }

  /** Returns the threads that a search finds: of those with these IDs, or of all where it does not support IDs. */
  private async searchExisting(ids: readonly string[]): Promise<ReadonlySet<string> | PartialList> {
    try {
      return (await this.searchEach(ids)) ?? (await this.listIds());
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw error.withHint(
        `Could not determine whether the thread still exists: no agent server is responding at ${this.source.url}. State is unchanged.`,
      );
    }
  }

  /** Searches until nothing more is found, because a server may return fewer than requested; undefined as in `searchByIds`. */
  private async searchEach(ids: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const found = new Set<string>();
    for (let missing = ids; missing.length > 0; missing = missing.filter((id) => !found.has(id))) {
      const threads = await this.searchByIds(missing);
      if (!threads) return undefined;
      for (const { threadId } of threads) found.add(threadId);
      if (!missing.some((id) => found.has(id))) break;
    }
    return found;
  }

  private async listIds(): Promise<ReadonlySet<string> | PartialList> {
    const { items, isTruncated } = await this.source.list();
    const ids = new Set(items.map(({ threadId }) => threadId));
    return isTruncated ? new PartialList(ids) : ids;
  }
}
