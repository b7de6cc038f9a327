/** The API of an agent server: one method per endpoint (API `4B`). */
import { z } from "zod";
import type { HttpRequest, HttpResponse } from "../../http/client";
import type { Clock } from "../../http/clock";
import { HttpError, ignoreNotFound, inPlaceOf } from "../../http/errors";
import { pathSegment, remoteId } from "../../schema/id";
import { parseServerTimestamp } from "../../schema/timestamp";
import { isEmpty, type JsonClient } from "../json-client";
import { collectAvailable, nextOffset } from "../pagination";
import { LearnedProfile } from "../profile/learned-profile";
import { AssistantClient } from "./assistants";
import { CronClient } from "./crons";
import type { checkHealth } from "./health";
import { MAX_IDS, ThreadFinder } from "./thread-finder";
import { hasOlder, paginateUntilRejected, ThreadReader } from "./thread-reader";
import { type Thread, type ThreadBody, threadBodySchema, threadSchema, toTtl } from "./threads";

export type { Thread, ThreadBody } from "./threads";

/** Threads without a time come last. */
const timeOf = ({ createdAt }: Thread) => Number(parseServerTimestamp(createdAt) ?? Number.MAX_VALUE);

/** A success response without an ID: the thread may exist, but the request was not applied (API `2B.Superstep:201`). */
export class UnappliedError extends HttpError {
  override name = "UnappliedError";
}

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
  checkHealth: () => ReturnType<typeof checkHealth>;
}

export class AgentServerClient {
  /** The base URL, including the path that all routes share. */
  readonly url: string;
  readonly threads: ThreadReader;
  readonly assistants: AssistantClient;
  readonly crons: CronClient;
  readonly profile: LearnedProfile;
  private readonly json: JsonClient;
  private readonly finder: ThreadFinder;
  readonly peekThread: ThreadFinder["peek"];
  readonly lookUpThread: ThreadFinder["lookUp"];
  private readinessPromise: Promise<Readiness> | undefined;

  constructor(private readonly options: AgentServerOptions) {
    this.url = options.url;
    this.json = options.json;
    this.profile = new LearnedProfile(options.clock);
    this.threads = new ThreadReader(this.json);
    this.assistants = new AssistantClient(this.json, options.clock);
    this.crons = new CronClient(this.json, options.clock);
    this.finder = new ThreadFinder({
      url: options.url,
      clock: options.clock,
      profile: this.profile,
      load: (id) => this.getThread(id).catch(ignoreNotFound),
      search: (body) => this.search(body),
      list: () => this.listThreads({}),
    });
    this.peekThread = this.finder.peek;
    this.lookUpThread = this.finder.lookUp;
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

  copyThread(id: string): Promise<Thread> {
    return this.requestThread({ method: "POST", path: `${threadPath(id)}/copy` });
  }

  getThread(id: string): Promise<Thread> {
    return this.requestThread({ method: "GET", path: threadPath(id) }, id);
  }

  /**
   * Returns the TTL that the server shows for a thread (API `2B.Thread.ttl:response`): null for none, undefined when it
   * could not be read.
   */
  async readTtl(id: string): Promise<Thread["ttl"]> {
    const request: HttpRequest = { method: "GET", path: threadPath(id), query: { include: "ttl" } };
    const thread = await this.requestThread(request, id).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      return error.isRejection ? { ttl: null } : undefined;
    });
    return thread && (thread.ttl ?? null);
  }

  /** Updates a thread. Metadata is merged at the top level. Optional route: API `4B.PATCH /threads/{thread_id}`. */
  async updateThread(id: string, body: Pick<ThreadBody, "metadata" | "ttl">): Promise<Thread> {
    // A server may require metadata.
    const request: HttpRequest = {
      method: "PATCH",
      path: threadPath(id),
      body: this.encode({ metadata: {}, ...body }),
    };
    const response = await this.json.send(request);
    return isEmpty(response) ? this.getThread(id) : this.toThread(request, response, id);
  }

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
    const { items } = await this.listThreads(metadata);
    // Not every server sorts.
    return items.toSorted((left, right) => timeOf(left) - timeOf(right));
  }

  private async listThreads(metadata: ThreadBody["metadata"]): Promise<{ items: Thread[]; isTruncated: boolean }> {
    const filter = this.encode({ metadata }) as object;
    const pages = paginateUntilRejected<Thread, number>({
      noun: "threads",
      limit: MAX_IDS,
      idOf: ({ threadId }) => threadId,
      read: async (offset) => {
        const page = { ...filter, limit: MAX_IDS, ...(offset !== undefined && { offset }) };
        const items = await this.searchSorted(page, "asc");
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
    const { items, isTruncated } = await collectAvailable(pages, ({ length }) => length >= MAX_THREADS);
    return { items, isTruncated: isTruncated || items.length >= MAX_THREADS };
  }

  /** Counts the checkpoints of a thread, up to the limit. Returns the limit where the server does not list all of them. */
  async countCheckpoints(id: string, limit: number): Promise<number> {
    const { items, isTruncated } = await collectAvailable(
      this.threads.listStates(id, limit),
      ({ length }) => length >= limit,
    );
    return isTruncated || hasOlder(items) ? limit : Math.min(items.length, limit);
  }

  async hasState(id: string): Promise<boolean> {
    const { values } = await this.threads.getState(id);
    return Object.keys(values ?? {}).length > 0;
  }

  /** Returns a thread, in one search for concurrent calls; undefined when it is gone. */
  findThread(id: string): Promise<Thread | undefined> {
    return this.finder.find(id);
  }

  /** Searches in this order, or in any where the server rejects the word for it, which the interface does not name. */
  private async searchSorted(body: object, order: "asc" | "desc"): Promise<Thread[]> {
    const sorted = { ...body, sort_by: "created_at" };
    if (this.profile.has("threads-in-order") !== false) {
      const request = this.search({ ...sorted, sort_order: order });
      const threads = await request.catch(inPlaceOf(({ status }) => status === 400 || status === 422, undefined));
      if (threads) return threads;
    }
    const threads = await this.search(sorted);
    this.profile.learn("threads-in-order", false);
    return threads;
  }

  /** Drops items without an ID. */
  private async search(body: object): Promise<Thread[]> {
    const request: HttpRequest = { method: "POST", path: `${THREADS}/search`, body, isRead: true };
    const threads = await this.json.getList(threadSchema, request);
    return threads.filter(hasId).map((thread) => ({ ...thread, ttl: toTtl(thread.ttl) }) as Thread);
  }

  private async requestThread(request: HttpRequest, id?: string): Promise<Thread> {
    return this.toThread(request, await this.json.send(request), id);
  }

  /** @param id Of the requested thread: another one in the response may belong to anyone. */
  private toThread(request: HttpRequest, response: HttpResponse, id?: string): Thread {
    const thread = this.json.decode(threadSchema, request, response);
    if (hasId(thread)) {
      if (id !== undefined && thread.threadId?.toLowerCase() !== id.toLowerCase())
        throw this.json.unexpected(request, `it contains thread ${thread.threadId}`, response);
      return { ...thread, ttl: toTtl(thread.ttl) } as Thread;
    }
    const detail = rejection.safeParse(response.json).data?.detail;
    const { status, requestId } = response;
    if (detail !== undefined) throw new UnappliedError({ ...request, status, requestId, detail });
    throw this.json.unexpected(request, "thread_id is missing", response);
  }

  private encode(body: ThreadBody): unknown {
    return this.json.encode(threadBodySchema, body);
  }
}
