/** Threads and their states, whole, as they are only read (interface section 2 B, interface-notes section 4). */
import { z } from "zod";
import type { HttpRequest } from "../../http/client";
import { HttpError } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { fieldMetadata } from "../../schema/schema";
import type { DeepPartialNullable, JsonClient } from "../json-client";
import { knownValue } from "../known-values";
import { nextOffset, type PageSource, type Pages, paginate } from "../pagination";
import { threadMetadata, threadTtl } from "./schemas";

const freeForm = z.record(z.string(), z.unknown());

export const threadInfoSchema = z
  .object({
    threadId: z.string().describe("Id of the thread."),
    status: knownValue("ThreadStatus").optional().describe("`idle`, `busy`, `interrupted` or `error`."),
    metadata: threadMetadata.optional().describe("Metadata by key, as whoever wrote them spelt the keys."),
    values: freeForm.optional().describe("State values now, in the graph's own form, where the server tells them."),
    config: freeForm.optional().describe("Configuration of the last run, where the server tells it."),
    ttl: threadTtl.optional().describe("How long it lives after its last change, where the server tells it."),
    createdAt: z.string().optional().describe("When it was created."),
    updatedAt: z.string().optional().describe("When it last changed."),
  })
  .register(fieldMetadata, { interface: "ThreadInfo" });

const checkpointSchema = z
  .looseObject({
    checkpointId: z.string().optional().describe("Id of the checkpoint."),
    threadId: z.string().optional().describe("Id of its thread."),
    checkpointNs: z.string().optional().describe("Namespace of a subgraph; empty for the graph itself."),
  })
  .register(fieldMetadata, { interface: "CheckpointInfo" });

export const threadStateSchema = z
  .object({
    values: freeForm.optional().describe("State values, in the graph's own form."),
    next: z.array(z.string()).optional().describe("Nodes that run next; none when the graph is at its end."),
    tasks: z
      .array(freeForm)
      .optional()
      .describe("What is to be done next, each with its `name`, `error` and `interrupts`, as the server tells it."),
    metadata: z
      .looseObject({
        threadId: z.string().optional().describe("Id of the thread."),
        checkpointId: z.string().optional().describe("Id of the checkpoint."),
        graphId: z.string().optional().describe("Graph that wrote it."),
        source: z.string().optional().describe("What wrote it, such as `input`, `loop` or `update`."),
        step: z.number().optional().describe("Its number: -1 for the input, then counted from 0."),
        writes: freeForm.optional().describe("What was written, by node."),
        parents: freeForm.optional().describe("Checkpoints of the graphs around a subgraph, by namespace."),
      })
      .register(fieldMetadata, { interface: "ThreadStateMetadataInfo" })
      .optional()
      .describe("Where the state comes from; further keys as whoever wrote them spelt them. Absent before the first."),
    createdAt: z.string().optional().describe("When it was written; absent before the first."),
    checkpoint: checkpointSchema.optional().describe("The checkpoint that holds it; absent before the first."),
    parentCheckpoint: checkpointSchema.optional().describe("The checkpoint before; absent for the first."),
    checkpointId: z.string().optional().describe("Id of the checkpoint, as `checkpointId` of a look-up takes it."),
    parentCheckpointId: z.string().optional().describe("Id of the checkpoint before; absent for the first."),
  })
  .register(fieldMetadata, { interface: "ThreadStateInfo" });

/** What a search compares, and how its answer is sorted. */
export const threadSearchSchema = z.object({
  ids: z.array(z.string()).optional(),
  status: z.enum(["idle", "busy", "interrupted", "error"]).optional(),
  metadata: threadMetadata.optional(),
  values: freeForm.optional(),
  sortBy: z.enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"]).optional(),
  sortOrder: z.enum(["asc", "desc"]).optional(),
  limit: z.int(),
  offset: z.int().optional(),
});

export type ThreadQuery = Omit<z.input<typeof threadSearchSchema>, "limit" | "offset">;
export type ThreadInfo = DeepPartialNullable<z.infer<typeof threadInfoSchema>>;
export type ThreadStateInfo = DeepPartialNullable<z.infer<typeof threadStateSchema>>;

const threadPath = (threadId: string, ...rest: string[]) =>
  ["/threads", ...[threadId, ...rest].map(pathSegment)].join("/");

export class ThreadReader {
  constructor(private readonly json: JsonClient) {}

  get(threadId: string): Promise<ThreadInfo> {
    return this.json.getObject(threadInfoSchema, { method: "GET", path: threadPath(threadId) });
  }

  /** All that match, so many per page. Not every server shows another page than the first. */
  list(query: ThreadQuery, limit: number): Pages<ThreadInfo> {
    return paginateUntilRejected({
      what: "threads that match",
      limit,
      idOf: (thread) => thread.threadId,
      read: async (offset?: number) => {
        const items = await this.search({ ...query, limit, ...(offset !== undefined && { offset }) });
        return { items, next: nextOffset(offset ?? 0, items.length) };
      },
    });
  }

  /** The first that match. */
  search(query: ThreadQuery & { limit: number; offset?: number }): Promise<ThreadInfo[]> {
    const body = this.json.encode(threadSearchSchema, query);
    return this.json.getList(threadInfoSchema, { method: "POST", path: "/threads/search", body, isRead: true });
  }

  /** The latest state, or that at a checkpoint. */
  getState(threadId: string, checkpointId?: string): Promise<ThreadStateInfo> {
    const path = threadPath(threadId, "state", ...(checkpointId === undefined ? [] : [checkpointId]));
    return this.json.getObject(threadStateSchema, { method: "GET", path });
  }

  /** The states of a thread, most recent first, so many per page. Not every server shows another page than the first. */
  listStates(threadId: string, limit: number): Pages<ThreadStateInfo> {
    return paginateUntilRejected({
      what: "states of the thread",
      limit,
      idOf: (getState) => getState.checkpointId,
      read: async (before?: string) => {
        const body = { limit, ...(before !== undefined && { before: { checkpoint_id: before } }) };
        const request: HttpRequest = { method: "POST", path: threadPath(threadId, "history"), body, isRead: true };
        const items = await this.json.getList(threadStateSchema, request);
        const isFirst = hasParentIds(items) && !hasOlder(items);
        return { items, next: isFirst ? undefined : (items.at(-1)?.checkpointId ?? undefined) };
      },
    });
  }
}

const hasParentIds = (states: readonly ThreadStateInfo[]) => states.some((state) => hasOlder([state]));

/** Whether there is a state before the last of these, by what it says itself. */
export function hasOlder(states: readonly ThreadStateInfo[]): boolean {
  const last = states.at(-1);
  return (last?.parentCheckpointId ?? last?.parentCheckpoint?.checkpointId) != null;
}

/** A list whose first page needs nothing but what the interface shows; a server may refuse what a further one needs. */
export function paginateUntilRejected<T, C>({ read, ...list }: Omit<PageSource<T, C>, "hint">): Pages<T> {
  return paginate<T, C>({
    ...list,
    hint: (count) => `Set \`limit: ${count}\` to get those.`,
    read: (cursor) =>
      read(cursor).catch((error: unknown) => {
        if (cursor !== undefined && isRejection(error)) return undefined;
        throw error;
      }),
  });
}

/** The server answered, and will not have what it was asked. */
export const isRejection = (error: unknown) =>
  error instanceof HttpError && !error.isRetryable && !error.isUnauthorized;
