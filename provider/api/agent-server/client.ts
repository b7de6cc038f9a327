/** The agent server of a deployment: one method an endpoint, named after what it does (interface section 4 B). */
import type DataLoader from "dataloader";
import { z } from "zod";
import type { Answer, Call, Door } from "../../http/client";
import { RequestError } from "../../http/errors";
import { remoteId, segment } from "../../schema/id";
import { batched } from "../batch";
import type { Wire } from "../case-mapper";
import { Reader } from "../json-client";
import { collectShown, nextOffset } from "../pagination";
import { shapeProblem } from "../shape";
import { type Thread, type ThreadBody, threadShape } from "./schemas";
import { hasOlder, paginateUntilRefused, ThreadReads } from "./thread-batches";

export type { Thread, ThreadBody } from "./schemas";

/**
 * One look at /ok. The interface has no such route, so a server that answers 404 is up, and perhaps knows the interface
 * alone.
 * @throws RequestError when it does not serve.
 */
export async function lookAtOk(door: Door): Promise<"serves" | "has no such route"> {
  try {
    await door.send({ method: "GET", path: "/ok" });
    return "serves";
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.isNotFound) return "has no such route";
    if (error.isDenied) return "serves";
    throw error;
  }
}

/** A good answer without an id: the thread may stand there, and what was asked for failed (interface-notes section 4). */
export class UnappliedError extends RequestError {
  override name = "UnappliedError";
}

/** Threads in one search for many; the interface does not bound it, live servers do at a thousand. */
const BATCH = 100;
/** The most threads that are looked through. */
const MAX_FOUND = 1000;

const THREADS = "/threads";
const below = (id: string) => `${THREADS}/${segment(id)}`;
const identified = z.looseObject({ threadId: remoteId });
const refusal = z.object({ detail: z.string() });

/** `is not found`: neither /ok nor the routes of threads exist there, or not yet. */
export type Readiness = Awaited<ReturnType<typeof lookAtOk>> | "is not found";

export interface AgentServerOptions {
  url: string;
  door: Door;
  wire: Wire;
  /** One look at /ok, without a key. */
  lookAtOk: () => ReturnType<typeof lookAtOk>;
}

export class AgentServer {
  /** The address, with the path that all its routes begin with. */
  readonly url: string;
  /** Threads and states as they are only read. */
  readonly reads: ThreadReads;
  private readonly door: Door;
  private readonly looks: DataLoader<string, Thread | undefined>;
  /** Whether a search by ids finds what it should; older servers ignore the parameter. */
  private searchesIds = true;
  private serving: Promise<Readiness> | undefined;

  constructor(private readonly options: AgentServerOptions) {
    this.url = options.url;
    this.door = options.door;
    this.reads = new ThreadReads(new Reader(options.door, options.wire));
    this.looks = batched((ids) => this.lookAtMany(ids), { maxBatchSize: BATCH });
  }

  /** The server's present time, by its own Date header where it sent one. Milliseconds. */
  now(): number {
    return this.door.serverNow();
  }

  /**
   * How it answers /ok. Those who ask at the same time share one look, and one that served is not asked again. Where
   * /ok is 404, the search tells a server that lacks it from an ingress that does not know the server yet.
   * @throws RequestError when it does not serve.
   */
  serves(): Promise<Readiness> {
    this.serving ??= this.readiness().then(
      (readiness) => {
        if (readiness === "is not found") this.serving = undefined;
        return readiness;
      },
      (error: unknown) => {
        this.serving = undefined;
        throw error;
      },
    );
    return this.serving;
  }

  private async readiness(): Promise<Readiness> {
    const readiness = await this.options.lookAtOk();
    if (readiness === "serves") return readiness;
    try {
      await this.search({ limit: 1 });
    } catch (error) {
      if (!(error instanceof RequestError) || error.isTransient) throw error;
      if (error.maybeMissingRoute) return "is not found";
    }
    return readiness;
  }

  /** @throws UnappliedError when the thread may be there, and its supersteps could not be applied. */
  createThread(body: ThreadBody): Promise<Thread> {
    return this.one({ method: "POST", path: THREADS, body: this.encode(body) });
  }

  /** A new thread with the same history. */
  copyThread(id: string): Promise<Thread> {
    return this.one({ method: "POST", path: `${below(id)}/copy` });
  }

  getThread(id: string): Promise<Thread> {
    return this.one({ method: "GET", path: below(id) });
  }

  /** Metadata is merged at the top level. Optional route: interface-notes section 4. */
  updateThread(id: string, body: Pick<ThreadBody, "metadata" | "ttl">): Promise<Thread> {
    return this.one({ method: "PATCH", path: below(id), body: this.encode(body) });
  }

  /** Optional route. */
  async deleteThread(id: string): Promise<void> {
    await this.door.send({ method: "DELETE", path: below(id) });
  }

  /** The threads whose metadata holds this, newest first where the server sorts. */
  async searchThreads(metadata: ThreadBody["metadata"], limit: number): Promise<Thread[]> {
    const filter = this.encode({ metadata }) as object;
    return this.search({ ...filter, limit, sort_by: "created_at", sort_order: "desc" });
  }

  /** All threads whose metadata holds this, oldest first, at most MAX_FOUND. A server that knows no offset shows one page. */
  async findThreads(metadata: ThreadBody["metadata"]): Promise<Thread[]> {
    const filter = this.encode({ metadata }) as object;
    const sorted = { ...filter, limit: BATCH, sort_by: "created_at", sort_order: "asc" };
    const pages = paginateUntilRefused<Thread, number>({
      what: "threads",
      limit: BATCH,
      idOf: ({ threadId }) => threadId,
      read: async (offset) => {
        const items = await this.search({ ...sorted, ...(offset !== undefined && { offset }) });
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
    return (await collectShown(pages, ({ length }) => length >= MAX_FOUND)).items;
  }

  /** How many checkpoints a thread has, at most so many; so many as well where its server does not show all of them. */
  async countCheckpoints(id: string, limit: number): Promise<number> {
    const { items, isCutOff } = await collectShown(this.reads.history(id, limit), ({ length }) => length >= limit);
    return isCutOff || hasOlder(items) ? limit : Math.min(items.length, limit);
  }

  /** A thread as it is now, in one search for all who look at the same time; undefined when the server says 404 for it. */
  look(id: string): Promise<Thread | undefined> {
    return this.looks.load(id);
  }

  private async lookAtMany(ids: readonly string[]): Promise<(Thread | undefined | Error)[]> {
    const found = ids.length > 1 && this.searchesIds ? await this.byIds(ids) : new Map<string, Thread>();
    // What no search shows is asked by itself: only a 404 on the thread means gone.
    return Promise.all(ids.map((id) => found.get(id) ?? this.lookAtOne(id).catch((error: Error) => error)));
  }

  private async byIds(ids: readonly string[]): Promise<Map<string, Thread>> {
    const wanted = new Set(ids);
    const found = await this.search({ ids, limit: ids.length }).catch((error: unknown) => {
      if (!(error instanceof RequestError) || error.isTransient || error.isDenied) throw error;
      return undefined;
    });
    this.searchesIds = found?.every(({ threadId }) => wanted.has(threadId)) ?? false;
    return new Map(found?.map((thread) => [thread.threadId, thread]));
  }

  private async lookAtOne(id: string): Promise<Thread | undefined> {
    try {
      return await this.getThread(id);
    } catch (error) {
      if (error instanceof RequestError && error.isNotFound) return undefined;
      throw error;
    }
  }

  private async search(body: object): Promise<Thread[]> {
    const call: Call = { method: "POST", path: `${THREADS}/search`, body, isRead: true };
    const answer = await this.door.send(call);
    return list(call, answer).flatMap((json) => this.decode(call, { ...answer, json }) ?? []);
  }

  private async one(call: Call): Promise<Thread> {
    const answer = await this.door.send(call);
    const seen = this.decode(call, answer);
    if (seen) return seen;
    const told = refusal.safeParse(answer.json).data;
    if (told) throw new UnappliedError({ ...call, status: answer.status, detail: told.detail });
    throw unexpected(call, answer, "the answer holds no thread_id");
  }

  private encode(body: ThreadBody): unknown {
    return this.options.wire.encode(threadShape, body);
  }

  private decode(call: Call, answer: Answer): Thread | undefined {
    const { data } = identified.safeParse(this.options.wire.decode(threadShape, answer.json));
    const problem = data && shapeProblem(threadShape, data);
    if (problem) throw unexpected(call, answer, `unexpected response: ${problem}`);
    return data as Thread | undefined;
  }
}

function list(call: Call, answer: Answer): unknown[] {
  if (Array.isArray(answer.json)) return answer.json;
  throw unexpected(call, answer, "the answer is no list");
}

function unexpected({ method, path }: Call, { status }: Answer, detail: string): RequestError {
  return new RequestError({ method, path, status, detail, advice: "Does the URL name an agent server?" });
}
