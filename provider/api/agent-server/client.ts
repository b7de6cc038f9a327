/** The API of an agent server: one method per endpoint (API `4B`). */
import { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound, inPlaceOf } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import { parseServerTimestamp } from "../../schema/timestamp";
import { AbsenceCheck } from "../absence";
import { createIdReader } from "../batch";
import { isEmpty, type JsonClient } from "../json-client";
import { collectAvailable, nextOffset } from "../pagination";
import { RouteSupport } from "../route-support";
import { AssistantClient } from "./assistants";
import { CronClient } from "./crons";
import type { checkHealth } from "./health";
import { hasOlder, paginateUntilRejected, type Thread, type ThreadBody, ThreadReader, threadSchema } from "./threads";

export type { Thread, ThreadBody } from "./threads";

/** Threads without a time come last. */
const timeOf = ({ createdAt }: Thread) => Number(parseServerTimestamp(createdAt) ?? Number.MAX_VALUE);

/** A success response without an ID: the thread may exist, but the request was not applied (API `2B.Superstep:201`). */
export class UnappliedError extends HttpError {
  override name = "UnappliedError";
}

/** Threads per search. The interface has no limit, live servers allow a thousand. */
const BATCH_SIZE = 100;
/** The most threads that `findThreads` returns. */
const MAX_THREADS = 1000;

const THREADS = "/threads";
const threadPath = (id: string) => `${THREADS}/${pathSegment(id)}`;
const hasId = (thread: { threadId?: unknown }) => remoteId.safeParse(thread.threadId).success;
const rejection = z.object({ detail: z.string() });

/** `unreachable`: neither /ok nor the thread routes exist at this URL, or not yet. */
export type Readiness = Awaited<ReturnType<typeof checkHealth>> | "unreachable";

export interface AgentServerOptions {
  url: string;
  json: JsonClient;
  clock: Clock;
  /** Requests /ok without credentials. */
  checkHealth: () => ReturnType<typeof checkHealth>;
}

export class AgentServerClient {
  /** The base URL, including the path that all routes share. */
  readonly url: string;
  /** Reads threads and their states with all fields. */
  readonly threads: ThreadReader;
  readonly assistants: AssistantClient;
  readonly crons: CronClient;
  readonly routes = new RouteSupport();
  private readonly json: JsonClient;
  private readonly absence: AbsenceCheck<Thread>;
  /** Returns a thread, for callers to whom a stray 404 does no harm: undefined when the server returns 404 for it. */
  readonly peekThread: (id: string) => Promise<Thread | undefined>;
  /** Whether the server supports a search by IDs; older servers ignore the parameter. */
  private searchesIds = true;
  /** Whether the server accepts the order of a search. */
  private acceptsOrder = true;
  private readinessPromise: Promise<Readiness> | undefined;

  constructor(private readonly options: AgentServerOptions) {
    this.url = options.url;
    this.json = options.json;
    this.threads = new ThreadReader(this.json);
    this.assistants = new AssistantClient(this.json, options.clock);
    this.crons = new CronClient(this.json, options.clock);
    this.peekThread = createIdReader<Thread, Thread | undefined>({
      readMany: async (ids) => (this.searchesIds ? this.searchByIds(ids) : []),
      readOne: (id) => this.loadThread(id),
      idOf: ({ threadId }) => threadId,
      maxBatchSize: BATCH_SIZE,
    });
    this.absence = new AbsenceCheck({
      clock: options.clock,
      noun: "threads",
      read: (id) => this.loadThread(id),
      list: (ids) => this.searchExisting(ids),
    });
  }

  /** The server's current time, from its own Date header where it sent one. Milliseconds. */
  now(): number {
    return this.json.serverNow();
  }

  /**
   * Returns whether the server is ready. Concurrent calls share a request, and a ready server is not requested again.
   * Where /ok is not found, a search distinguishes a server without that route from an ingress without a route to the server.
   * @throws HttpError when the server is not healthy.
   */
  checkReadiness(): Promise<Readiness> {
    this.readinessPromise ??= this.probeReadiness().then(
      (readiness) => {
        if (readiness === "unreachable") this.readinessPromise = undefined;
        return readiness;
      },
      (error: unknown) => {
        this.readinessPromise = undefined;
        throw error;
      },
    );
    return this.readinessPromise;
  }

  private async probeReadiness(): Promise<Readiness> {
    const readiness = await this.options.checkHealth();
    if (readiness === "healthy") return readiness;
    try {
      await this.search({ limit: 1 });
    } catch (error) {
      if (!(error instanceof HttpError) || error.isRetryable) throw error;
      if (error.isUnsupportedRoute) return "unreachable";
    }
    return readiness;
  }

  /** @throws UnappliedError when the thread may exist, but its supersteps could not be applied. */
  createThread(body: ThreadBody): Promise<Thread> {
    return this.requestThread({ method: "POST", path: THREADS, body: this.encode(body) });
  }

  /** Creates a thread with the same history. */
  copyThread(id: string): Promise<Thread> {
    return this.requestThread({ method: "POST", path: `${threadPath(id)}/copy` });
  }

  getThread(id: string): Promise<Thread> {
    return this.requestThread({ method: "GET", path: threadPath(id) });
  }

  /** Updates a thread. Metadata is merged at the top level. Optional route: API `4B.PATCH /threads/{thread_id}`. */
  async updateThread(id: string, body: Pick<ThreadBody, "metadata" | "ttl">): Promise<Thread> {
    const request: HttpRequest = { method: "PATCH", path: threadPath(id), body: this.encode(body) };
    const response = await this.json.send(request);
    return isEmpty(response) ? this.getThread(id) : this.toThread(request, response);
  }

  /** Optional route. */
  async deleteThread(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: threadPath(id) });
  }

  /** Returns the threads that contain this metadata, newest first where the server supports sorting. */
  async searchThreads(metadata: ThreadBody["metadata"], limit: number): Promise<Thread[]> {
    const filter = this.encode({ metadata }) as object;
    return this.searchSorted({ ...filter, limit }, "desc");
  }

  /** Returns the threads that contain this metadata, oldest first, at most MAX_THREADS; one page where the server ignores the offset. */
  async findThreads(metadata: ThreadBody["metadata"]): Promise<Thread[]> {
    const filter = this.encode({ metadata }) as object;
    const pages = paginateUntilRejected<Thread, number>({
      noun: "threads",
      limit: BATCH_SIZE,
      idOf: ({ threadId }) => threadId,
      read: async (offset) => {
        const page = { ...filter, limit: BATCH_SIZE, ...(offset !== undefined && { offset }) };
        const items = await this.searchSorted(page, "asc");
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
    const { items } = await collectAvailable(pages, ({ length }) => length >= MAX_THREADS);
    // Not every server sorts.
    return items.toSorted((left, right) => timeOf(left) - timeOf(right));
  }

  /** Counts the checkpoints of a thread, up to the limit. Returns the limit where the server does not list all of them. */
  async countCheckpoints(id: string, limit: number): Promise<number> {
    const { items, isTruncated } = await collectAvailable(
      this.threads.listStates(id, limit),
      ({ length }) => length >= limit,
    );
    return isTruncated || hasOlder(items) ? limit : Math.min(items.length, limit);
  }

  /** Returns a thread, in one search for concurrent calls; undefined when it is gone. */
  async findThread(id: string): Promise<Thread | undefined> {
    return (await this.peekThread(id)) ?? this.absence.find(id);
  }

  private async searchByIds(ids: readonly string[]): Promise<Thread[]> {
    const requestedIds = new Set(ids);
    const threads = await this.search({ ids, limit: ids.length }).catch(
      inPlaceOf(({ isRejection }) => isRejection, undefined),
    );
    this.searchesIds = threads?.every(({ threadId }) => requestedIds.has(threadId)) ?? false;
    return threads ?? [];
  }

  /** Returns the threads that a search finds: of those with these IDs, or of all where the server ignores IDs. */
  private async searchExisting(ids: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      const found = this.searchesIds ? await this.searchByIds(ids) : [];
      return new Set((this.searchesIds ? found : await this.findThreads({})).map(({ threadId }) => threadId));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      throw error.withHint(
        `Could not determine whether the thread still exists: no agent server is responding at ${this.url}. State is unchanged.`,
      );
    }
  }

  private loadThread(id: string): Promise<Thread | undefined> {
    return this.getThread(id).catch(ignoreNotFound);
  }

  /** Searches in this order, or in any where the server rejects the word for it, which the interface does not name. */
  private async searchSorted(body: object, order: "asc" | "desc"): Promise<Thread[]> {
    const sorted = { ...body, sort_by: "created_at" };
    if (this.acceptsOrder) {
      const request = this.search({ ...sorted, sort_order: order });
      const threads = await request.catch(inPlaceOf(({ status }) => status === 400 || status === 422, undefined));
      if (threads) return threads;
    }
    const threads = await this.search(sorted);
    this.acceptsOrder = false;
    return threads;
  }

  /** Drops items without an ID. */
  private async search(body: object): Promise<Thread[]> {
    const request: HttpRequest = { method: "POST", path: `${THREADS}/search`, body, isRead: true };
    return (await this.json.getList(threadSchema, request)).filter(hasId) as Thread[];
  }

  private async requestThread(request: HttpRequest): Promise<Thread> {
    return this.toThread(request, await this.json.send(request));
  }

  private toThread(request: HttpRequest, response: HttpResponse): Thread {
    const thread = this.json.decode(threadSchema, request, response);
    if (hasId(thread)) return thread as Thread;
    const detail = rejection.safeParse(response.json).data?.detail;
    const { status, requestId } = response;
    if (detail !== undefined) throw new UnappliedError({ ...request, status, requestId, detail });
    throw this.json.unexpected(request, "thread_id is missing", response);
  }

  private encode(body: ThreadBody): unknown {
    return this.json.encode(threadSchema, body);
  }
}
