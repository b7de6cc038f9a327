/** The agent server of a deployment: one method an endpoint, named after what it does (interface section 4 B). */
import type DataLoader from "dataloader";
import { z } from "zod";
import type { HttpClient, HttpRequest } from "../../http/client";
import { HttpError } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import { createLoader } from "../batch";
import type { CaseMapper } from "../case-mapper";
import { JsonClient } from "../json-client";
import { collectAvailable, nextOffset } from "../pagination";
import { type Thread, type ThreadBody, threadSchema } from "./schemas";
import { hasOlder, paginateUntilRejected, ThreadReader } from "./thread-reader";

export type { Thread, ThreadBody } from "./schemas";

/**
 * One look at /ok. The interface has no such route, so a server that answers 404 is up, and perhaps knows the interface
 * alone.
 * @throws HttpError when it does not serve.
 */
export async function checkHealth(http: HttpClient): Promise<"serves" | "has no such route"> {
  try {
    await http.send({ method: "GET", path: "/ok" });
    return "serves";
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isNotFound) return "has no such route";
    if (error.isUnauthorized) return "serves";
    throw error;
  }
}

/** A good answer without an id: the thread may stand there, and what was asked for failed (interface-notes section 4). */
export class UnappliedError extends HttpError {
  override name = "UnappliedError";
}

/** Threads in one search for many; the interface does not bound it, live servers do at a thousand. */
const BATCH_SIZE = 100;
/** The most threads that are looked through. */
const MAX_THREADS = 1000;

const THREADS = "/threads";
const threadPath = (id: string) => `${THREADS}/${pathSegment(id)}`;
const hasId = (thread: { threadId?: unknown }) => remoteId.safeParse(thread.threadId).success;
const rejection = z.object({ detail: z.string() });

/** `is not found`: neither /ok nor the routes of threads exist there, or not yet. */
export type Readiness = Awaited<ReturnType<typeof checkHealth>> | "is not found";

export interface AgentServerOptions {
  url: string;
  http: HttpClient;
  caseMapper: CaseMapper;
  /** One look at /ok, without a key. */
  checkHealth: () => ReturnType<typeof checkHealth>;
}

export class AgentServerClient {
  /** The address, with the path that all its routes begin with. */
  readonly url: string;
  /** Threads and states as they are only read. */
  readonly threads: ThreadReader;
  private readonly json: JsonClient;
  private readonly threadBatch: DataLoader<string, Thread | undefined>;
  /** Whether a search by ids finds what it should; older servers ignore the parameter. */
  private searchesIds = true;
  private readinessPromise: Promise<Readiness> | undefined;

  constructor(private readonly options: AgentServerOptions) {
    this.url = options.url;
    this.json = new JsonClient(options.http, options.caseMapper, "Does the URL point to an agent server?");
    this.threads = new ThreadReader(this.json);
    this.threadBatch = createLoader((ids) => this.loadThreads(ids), { maxBatchSize: BATCH_SIZE });
  }

  /** The server's present time, by its own Date header where it sent one. Milliseconds. */
  now(): number {
    return this.json.serverNow();
  }

  /**
   * How it answers /ok. Those who ask at the same time share one look, and one that served is not asked again. Where
   * /ok is 404, the search tells a server that lacks it from an ingress that does not know the server yet.
   * @throws HttpError when it does not serve.
   */
  checkReadiness(): Promise<Readiness> {
    this.readinessPromise ??= this.probeReadiness().then(
      (probeReadiness) => {
        if (probeReadiness === "is not found") this.readinessPromise = undefined;
        return probeReadiness;
      },
      (error: unknown) => {
        this.readinessPromise = undefined;
        throw error;
      },
    );
    return this.readinessPromise;
  }

  private async probeReadiness(): Promise<Readiness> {
    const probeReadiness = await this.options.checkHealth();
    if (probeReadiness === "serves") return probeReadiness;
    try {
      await this.search({ limit: 1 });
    } catch (error) {
      if (!(error instanceof HttpError) || error.isRetryable) throw error;
      if (error.isUnsupportedRoute) return "is not found";
    }
    return probeReadiness;
  }

  /** @throws UnappliedError when the thread may be there, and its supersteps could not be applied. */
  createThread(body: ThreadBody): Promise<Thread> {
    return this.requestThread({ method: "POST", path: THREADS, body: this.encode(body) });
  }

  /** A new thread with the same history. */
  copyThread(id: string): Promise<Thread> {
    return this.requestThread({ method: "POST", path: `${threadPath(id)}/copy` });
  }

  getThread(id: string): Promise<Thread> {
    return this.requestThread({ method: "GET", path: threadPath(id) });
  }

  /** Metadata is merged at the top level. Optional route: interface-notes section 4. */
  updateThread(id: string, body: Pick<ThreadBody, "metadata" | "ttl">): Promise<Thread> {
    return this.requestThread({ method: "PATCH", path: threadPath(id), body: this.encode(body) });
  }

  /** Optional route. */
  async deleteThread(id: string): Promise<void> {
    await this.json.send({ method: "DELETE", path: threadPath(id) });
  }

  /** The threads whose metadata holds this, newest first where the server sorts. */
  async searchThreads(metadata: ThreadBody["metadata"], limit: number): Promise<Thread[]> {
    const filter = this.encode({ metadata }) as object;
    return this.search({ ...filter, limit, sort_by: "created_at", sort_order: "desc" });
  }

  /** All threads whose metadata holds this, oldest first, at most MAX_FOUND. A server that knows no offset shows one page. */
  async findThreads(metadata: ThreadBody["metadata"]): Promise<Thread[]> {
    const filter = this.encode({ metadata }) as object;
    const sorted = { ...filter, limit: BATCH_SIZE, sort_by: "created_at", sort_order: "asc" };
    const pages = paginateUntilRejected<Thread, number>({
      what: "threads",
      limit: BATCH_SIZE,
      idOf: ({ threadId }) => threadId,
      read: async (offset) => {
        const items = await this.search({ ...sorted, ...(offset !== undefined && { offset }) });
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
    return (await collectAvailable(pages, ({ length }) => length >= MAX_THREADS)).items;
  }

  /** How many checkpoints a thread has, at most so many; so many as well where its server does not show all of them. */
  async countCheckpoints(id: string, limit: number): Promise<number> {
    const { items, isCutOff } = await collectAvailable(
      this.threads.listStates(id, limit),
      ({ length }) => length >= limit,
    );
    return isCutOff || hasOlder(items) ? limit : Math.min(items.length, limit);
  }

  /** A thread as it is now, in one search for all who look at the same time; undefined when the server says 404 for it. */
  findThread(id: string): Promise<Thread | undefined> {
    return this.threadBatch.load(id);
  }

  private async loadThreads(ids: readonly string[]): Promise<(Thread | undefined | Error)[]> {
    const threads = ids.length > 1 && this.searchesIds ? await this.searchByIds(ids) : new Map<string, Thread>();
    // What no search shows is asked by itself: only a 404 on the thread means gone.
    return Promise.all(ids.map((id) => threads.get(id) ?? this.loadThread(id).catch((error: Error) => error)));
  }

  private async searchByIds(ids: readonly string[]): Promise<Map<string, Thread>> {
    const requestedIds = new Set(ids);
    const threads = await this.search({ ids, limit: ids.length }).catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.isRetryable || error.isUnauthorized) throw error;
      return undefined;
    });
    this.searchesIds = threads?.every(({ threadId }) => requestedIds.has(threadId)) ?? false;
    return new Map(threads?.map((thread) => [thread.threadId, thread]));
  }

  private async loadThread(id: string): Promise<Thread | undefined> {
    try {
      return await this.getThread(id);
    } catch (error) {
      if (error instanceof HttpError && error.isNotFound) return undefined;
      throw error;
    }
  }

  /** Items without an ID are left out. */
  private async search(body: object): Promise<Thread[]> {
    const request: HttpRequest = { method: "POST", path: `${THREADS}/search`, body, isRead: true };
    return (await this.json.getList(threadSchema, request)).filter(hasId) as Thread[];
  }

  private async requestThread(request: HttpRequest): Promise<Thread> {
    const response = await this.json.send(request);
    const thread = this.json.decode(threadSchema, request, response);
    if (hasId(thread)) return thread as Thread;
    const detail = rejection.safeParse(response.json).data?.detail;
    if (detail !== undefined) throw new UnappliedError({ ...request, status: response.status, detail });
    throw this.json.unexpected(request, "thread_id is missing", response.status);
  }

  private encode(body: ThreadBody): unknown {
    return this.json.encode(threadSchema, body);
  }
}
