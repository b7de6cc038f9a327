/** Reads threads and their states with all fields (API `4B`). */
import type { HttpRequest } from "../../http/client";
import { type HttpError, inPlaceOf } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { UserError } from "../../text/user-error";
import { createIdReader } from "../batch";
import type { JsonClient } from "../json-client";
import { nextOffset, type PageSource, type Pages, paginate } from "../pagination";
import {
  type ThreadInfo,
  type ThreadQuery,
  type ThreadStateInfo,
  threadResponseSchema,
  threadSearchSchema,
  threadStateSchema,
  toTtl,
} from "./threads";

const threadPath = (threadId: string, ...rest: string[]) =>
  ["/threads", ...[threadId, ...rest].map(pathSegment)].join("/");

/** Maximum page size for threads and for states (API `4B`). */
export const MAX_PAGE_SIZE = 1000;

/** Whether a server rejects the form of a request. */
const isInvalid = ({ status }: HttpError) => status === 400 || status === 422;

export class NoCheckpointError extends UserError {
  override name = "NoCheckpointError";
}

export class ThreadReader {
  /** Whether the server was seen to expect the ID of a checkpoint in place of an object (API `…/history:before`). */
  private expectsCheckpointId = false;

  /**
   * Reads a thread, with its TTL unless one search reads several: no search returns it. Not every server supports a search
   * by IDs, and servers reject the whole search for one malformed ID.
   */
  readonly get = createIdReader<ThreadInfo, ThreadInfo>({
    readMany: (ids) =>
      this.search({ ids: [...ids], limit: ids.length }).catch(inPlaceOf(({ isRejection }) => isRejection, [])),
    readOne: (id) => this.readOne(id),
    idOf: ({ threadId }) => threadId,
    maxBatchSize: MAX_PAGE_SIZE,
  });

  constructor(private readonly json: JsonClient) {}

  private async readOne(id: string): Promise<ThreadInfo> {
    const request: HttpRequest = { method: "GET", path: threadPath(id) };
    const send = (query?: HttpRequest["query"]) =>
      this.json.getObject(threadResponseSchema, { ...request, ...(query && { query }) });
    return toThreadInfo((await send({ include: "ttl" }).catch(inPlaceOf(isInvalid, undefined))) ?? (await send()));
  }

  /** Lists all threads that match. Not every server returns pages after the first. @param limit Threads per page. */
  list(query: ThreadQuery, limit: number): Pages<ThreadInfo> {
    return paginateUntilRejected({
      noun: "threads that match",
      limit,
      idOf: (thread) => thread.threadId,
      read: async (offset?: number) => {
        const items = await this.search({ ...query, limit, ...(offset !== undefined && { offset }) });
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
  }

  async search(query: ThreadQuery & { limit: number; offset?: number }): Promise<ThreadInfo[]> {
    const body = this.json.encode(threadSearchSchema, query);
    const request: HttpRequest = { method: "POST", path: "/threads/search", body, isRead: true };
    return (await this.json.getList(threadResponseSchema, request)).map(toThreadInfo);
  }

  /** Returns the latest state, or the state at a checkpoint. @throws NoCheckpointError. */
  async getState(threadId: string, checkpointId?: string): Promise<ThreadStateInfo> {
    const path = threadPath(threadId, "state", ...(checkpointId === undefined ? [] : [checkpointId]));
    const state = await this.json.getObject(threadStateSchema, { method: "GET", path });
    if (checkpointId === undefined || !isEmptyState(state)) return state;
    throw new NoCheckpointError(
      `Thread ${threadId} has no checkpoint ${checkpointId}: its server returned an empty state. Use an ID that getThreadHistory returns.`,
    );
  }

  /** Lists the states of a thread, newest first. Not every server returns pages after the first. @param limit States per page. */
  listStates(threadId: string, limit: number): Pages<ThreadStateInfo> {
    return paginateUntilRejected({
      noun: "states of the thread",
      limit,
      idOf: (state) => checkpointIdOf(state),
      read: async (before?: string) => {
        const items = await this.readStates(threadId, limit, before);
        const isFirst = hasParentIds(items) && !hasOlder(items);
        return { items, next: isFirst ? undefined : checkpointIdOf(items.at(-1)) };
      },
    });
  }

  private async readStates(threadId: string, limit: number, before?: string): Promise<ThreadStateInfo[]> {
    const send = (form?: unknown) => {
      const body = { limit, ...(form !== undefined && { before: form }) };
      return this.json.getList(threadStateSchema, {
        ...{ method: "POST", path: threadPath(threadId, "history") },
        ...{ body, isRead: true },
      });
    };
    if (before === undefined) return send();
    if (!this.expectsCheckpointId) {
      const checkpoint = { checkpoint_id: before };
      const states = await send({ ...checkpoint, configurable: checkpoint }).catch(inPlaceOf(isInvalid, undefined));
      if (states) return states;
    }
    const states = await send(before);
    this.expectsCheckpointId = true;
    return states;
  }
}

const toThreadInfo = <T extends { ttl?: Parameters<typeof toTtl>[0] }>(thread: T): ThreadInfo => ({
  ...thread,
  ttl: toTtl(thread.ttl),
});

const checkpointIdOf = (state: ThreadStateInfo | undefined): string | undefined =>
  state?.checkpointId ?? state?.checkpoint?.checkpointId ?? undefined;

/** Whether a state is the one that servers return for a checkpoint that does not exist. */
const isEmptyState = ({ values, metadata, createdAt }: ThreadStateInfo): boolean =>
  createdAt == null && metadata == null && Object.keys(values ?? {}).length === 0;

const hasParentIds = (states: readonly ThreadStateInfo[]) => states.some((state) => hasOlder([state]));

/** Returns whether the last of these states names a parent. */
export function hasOlder(states: readonly ThreadStateInfo[]): boolean {
  const last = states.at(-1);
  return (last?.parentCheckpointId ?? last?.parentCheckpoint?.checkpointId) != null;
}

/** Paginates a list. The first page needs only parameters of the interface; a server may reject those of further pages. */
export function paginateUntilRejected<T, C>({ read, ...list }: Omit<PageSource<T, C>, "hint">): Pages<T> {
  return paginate<T, C>({
    ...list,
    hint: (count) => `Set \`limit: ${count}\` to read only those.`,
    read: (cursor) =>
      read(cursor).catch(inPlaceOf(({ isRejection }) => cursor !== undefined && isRejection, undefined)),
  });
}
