/** Threads of an agent server: one method per endpoint (API `4B`). */
import { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { addHint, HttpError, ignoreHttpError, inPlaceOf, inPlaceOfInvalid } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import { parseServerTimestamp } from "../../schema/timestamp";
import { PartialList } from "../absence";
import { createIdReader, createLoader } from "../batch";
import type { JsonClient, RequestLine } from "../json-client";
import { collectAvailable, nextOffset, type Pages, paginateUntilRejected } from "../pagination";
import type { LearnedProfile } from "../profile/learned-profile";
import { MAX_PAGE_SIZE, ObjectClient } from "./object-client";
import {
  type Thread,
  type ThreadBody,
  type ThreadQuery,
  threadBodySchema,
  threadResponseSchema,
  threadSearchSchema,
  toTtl,
} from "./threads";

const THREADS = "/threads";
/** Threads per search by IDs. The interface has no limit, live servers allow a thousand. */
const MAX_IDS = 100;
const MAX_FOUND = 1000;

/** A success response without an ID: the thread may exist, but the request was not applied (API `2B.Superstep:201`). */
export class UnappliedError extends HttpError {
  override name = "UnappliedError";
}

type SearchPage = ThreadQuery & { limit: number; offset?: number };
type Metadata = ThreadBody["metadata"];

export class ThreadClient extends ObjectClient<Thread, ThreadBody> {
  /** Reads a thread with its TTL, unless one search reads several: no search returns it. */
  readonly read = createIdReader<Thread, Thread>({
    readMany: (ids) => this.readMany(ids),
    readOne: (id) => this.readWithTtl(id),
    idOf: this.idOf,
    maxBatchSize: MAX_IDS,
  });
  /** The same as `peek` for threads that probably do not exist: one search shows that for all concurrent calls. */
  readonly lookUp = createLoader<Thread | undefined>((ids) => this.loadSome(ids), { maxBatchSize: MAX_IDS });

  constructor(
    json: JsonClient,
    clock: Clock,
    private readonly server: { url: string; profile: LearnedProfile },
  ) {
    super(json, clock, {
      ...{ noun: "threads", path: THREADS, idField: "threadId", maxIds: MAX_IDS },
      ...{ schema: threadResponseSchema, bodySchema: threadBodySchema, querySchema: threadSearchSchema },
    });
  }

  /** @throws UnappliedError when the thread may exist, but its supersteps could not be applied. */
  override create(body: ThreadBody): Promise<Thread> {
    return this.requestOne({ method: "POST", path: THREADS, body: this.encode(body) });
  }

  copy(id: string): Promise<Thread> {
    return this.requestOne({ method: "POST", path: `${this.pathOf(id)}/copy` });
  }

  /** A server may require metadata. Optional route: API `4B.PATCH /threads/{thread_id}`. */
  override update(id: string, body: Pick<ThreadBody, "metadata" | "ttl" | "extra">): Promise<Thread> {
    return super.update(id, { metadata: {}, ...body });
  }

  /** Returns the TTL of a thread (API `2B.Thread.ttl:response`): null for none, undefined where it is not readable. */
  async readTtl(id: string): Promise<Thread["ttl"]> {
    const request = this.requestOne(this.requestWithTtl(id), id);
    const withoutTtl = inPlaceOf(({ isRejection }) => isRejection, { ttl: null });
    const thread = await request.catch(withoutTtl).catch(ignoreHttpError);
    return thread && (thread.ttl ?? null);
  }

  /** Lists all threads that match. Not every server returns pages after the first. @param limit Threads per page. */
  override list(query: ThreadQuery = {}, limit = MAX_PAGE_SIZE): Pages<Thread> {
    return this.listPages(limit, (page) => this.searchPage({ ...query, ...page }));
  }

  /** Returns one page of the threads that match, without items that have no ID. */
  async searchPage(query: SearchPage): Promise<Thread[]> {
    const body = this.json.encode(threadSearchSchema, query) as object;
    return [...(await this.readPage(`${THREADS}/search`, body)).items];
  }

  /** Returns the threads that contain this metadata, newest first where the server supports sorting. */
  searchByMetadata(metadata: Metadata, limit: number): Promise<Thread[]> {
    return this.searchSorted({ metadata, limit }, "desc");
  }

  /** Returns the threads with this metadata, oldest first, and at most the first thousand that the server lists. */
  async findByMetadata(metadata: Metadata): Promise<Thread[]> {
    const { items } = await this.listAvailable(metadata);
    // Not every server sorts. Threads without a time come last.
    const timeOf = ({ createdAt }: Thread) => Number(parseServerTimestamp(createdAt) ?? Number.MAX_VALUE);
    return items.toSorted((left, right) => timeOf(left) - timeOf(right));
  }

  private requestWithTtl(id: string): HttpRequest {
    return { method: "GET", path: this.pathOf(id), query: { include: "ttl" } };
  }

  private async readWithTtl(id: string): Promise<Thread> {
    const thread = await this.requestOne(this.requestWithTtl(id), id).catch(inPlaceOfInvalid);
    return thread ?? this.requestOne({ method: "GET", path: this.pathOf(id) }, id);
  }

  protected override async readMany(ids: readonly string[]): Promise<readonly Thread[]> {
    return (await this.searchByIds(ids)) ?? [];
  }

  private async loadSome(ids: readonly string[]): Promise<(Thread | undefined | Error)[]> {
    const found = ids.length > 1 ? await this.searchByIds(ids) : undefined;
    if (!found) return Promise.all(ids.map((id) => this.get(id).catch((error: Error) => error)));
    const byId = new Map(found.map((thread) => [thread.threadId, thread]));
    return ids.map((id) => byId.get(id));
  }

  /** Searches for threads by their IDs; undefined where the server rejects or ignores them: nothing is known then. */
  private async searchByIds(ids: readonly string[]): Promise<Thread[] | undefined> {
    const { profile } = this.server;
    if (profile.has("threads-by-id") === false) return undefined;
    const requestedIds = new Set(ids.map((id) => id.toLowerCase()));
    const threads = await this.searchPage({ ids: [...ids], limit: ids.length }).catch((error: unknown) => {
      if (!(error instanceof HttpError) || !error.isRejection) throw error;
      if (error.isInvalid) profile.learn("threads-by-id", false);
      return undefined;
    });
    const ignoresIds = threads?.some(({ threadId }) => !requestedIds.has(threadId.toLowerCase())) ?? false;
    if (ignoresIds) profile.learn("threads-by-id", false);
    return ignoresIds ? undefined : threads;
  }

  /** Searches for these IDs, or lists all threads where the server does not support IDs. */
  protected override listExisting(ids: readonly string[]): Promise<ReadonlySet<string> | PartialList> {
    const hint =
      "Could not determine whether the thread still exists: no agent server is responding at " +
      `${this.server.url}. State is unchanged.`;
    const listing = this.searchEach(ids).then((found) => found ?? this.listIds());
    return listing.catch(addHint(hint));
  }

  /** Searches until nothing more is found: a server may return fewer. Undefined as in `searchByIds`. */
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
    const { items, isTruncated } = await this.listAvailable({});
    const ids = new Set(items.map(this.idOf));
    return isTruncated ? new PartialList(ids) : ids;
  }

  private async listAvailable(metadata: Metadata): Promise<{ items: Thread[]; isTruncated: boolean }> {
    const pages = this.listPages(MAX_IDS, (page) => this.searchSorted({ metadata, ...page }, "asc"));
    const { items, isTruncated } = await collectAvailable(pages, ({ length }) => length >= MAX_FOUND);
    return { items, isTruncated: isTruncated || items.length >= MAX_FOUND };
  }

  private listPages(limit: number, search: (page: Omit<SearchPage, "ids">) => Promise<Thread[]>): Pages<Thread> {
    return paginateUntilRejected({
      ...{ noun: "threads that match", limit, idOf: this.idOf },
      read: async (offset?: number) => {
        const items = await search({ limit, ...(offset !== undefined && { offset }) });
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
  }

  /** Searches in this order, or in any where the server rejects the word for it, which the interface does not name. */
  private async searchSorted(query: SearchPage, sortOrder: "asc" | "desc"): Promise<Thread[]> {
    const { profile } = this.server;
    const sorted = { ...query, sortBy: "created_at" as const };
    if (profile.has("threads-in-order") !== false) {
      const threads = await this.searchPage({ ...sorted, sortOrder }).catch(inPlaceOfInvalid);
      if (threads) return threads;
    }
    const threads = await this.searchPage(sorted);
    profile.learn("threads-in-order", false);
    return threads;
  }

  protected override pathOf(id: string): string {
    return `${THREADS}/${pathSegment(id)}`;
  }

  protected override hasId({ threadId }: Thread): boolean {
    return remoteId.safeParse(threadId).success;
  }

  protected override decode(request: RequestLine, response: HttpResponse): Thread {
    const thread = super.decode(request, response);
    return { ...thread, ttl: toTtl(thread.ttl) };
  }

  protected override withoutId(request: RequestLine, response: HttpResponse): HttpError {
    const detail = rejection.safeParse(response.json).data?.detail;
    if (detail === undefined) return this.json.unexpected(request, "thread_id is missing", response);
    return new UnappliedError({ ...request, ...response, detail });
  }
}

const rejection = z.object({ detail: z.string() });
