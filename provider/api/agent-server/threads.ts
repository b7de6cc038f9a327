/** Threads as agent servers accept and return them, and their states with all fields (API `2B` and `4B`). */
import { z } from "zod";
import type { HttpRequest } from "../../http/client";
import { inPlaceOf } from "../../http/errors";
import { pathSegment } from "../../schema/id";
import { optionalText } from "../../schema/optional";
import { fieldMetadata } from "../../schema/schema";
import { createIdReader } from "../batch";
import type { DeepPartialNullable, JsonClient } from "../json-client";
import { knownValue } from "../known-values";
import { nextOffset, type PageSource, type Pages, paginate } from "../pagination";
import { freeForm } from "./assistants";

const text = z.string().nullish();

/** The user's own keys stay as written; the one key that the interface defines follows the vocabulary. */
export const threadMetadata = z
  .looseObject({
    agentgraph_auth_user_id: z
      .unknown()
      .optional()
      .describe("ID of the authenticated owner, set by custom authentication."),
  })
  .register(fieldMetadata, { interface: "ThreadMetadataArgs" });

export const superstep = z
  .strictObject({
    updates: z
      .array(
        z
          .strictObject({
            values: z
              .record(z.string(), z.unknown())
              .optional()
              .describe("State values, in the format of the graph. Specify either `values` or `command`."),
            command: z
              .record(z.string(), z.unknown())
              .optional()
              .describe("Command in the format of the graph (`update`, `goto`, `resume`), instead of `values`."),
            asNode: z.string().min(1).describe("Name of the node to which the update is attributed."),
          })
          .register(fieldMetadata, {
            interface: "ThreadUpdateArgs",
            description: "Values that a node writes to the state, or a command.",
          }),
      )
      .min(1)
      .describe("Updates that are applied together."),
  })
  .register(fieldMetadata, {
    interface: "ThreadSuperstepArgs",
    description: "Updates of the initial state that are applied together.",
  });

export const threadTtl = z
  .strictObject({
    strategy: knownValue("ThreadTtlStrategy")
      .optional()
      .describe(
        "What is deleted when the TTL expires: the thread (`delete`) or all states except the latest (`keep_latest`). Defaults to `delete`.",
      ),
    ttl: z.number().positive().describe("Minutes after the last change of the thread."),
  })
  .register(fieldMetadata, { interface: "ThreadTtlArgs", description: "How long the server keeps a thread." });

export const threadSchema = z.object({
  threadId: z.string(),
  createdAt: text,
  updatedAt: text,
  status: text,
  metadata: threadMetadata.nullish(),
  ttl: threadTtl.nullish(),
  /** Request only. */
  supersteps: z.array(superstep).nullish(),
  /** Request only: the behavior when a thread with this ID exists. */
  ifExists: z.enum(["raise", "do_nothing"]).nullish(),
});
export type Thread = Partial<Omit<z.output<typeof threadSchema>, "supersteps" | "ifExists">> & { threadId: string };
export type ThreadBody = Partial<z.input<typeof threadSchema>>;

export const threadInfoSchema = z
  .object({
    threadId: z.string().describe("ID of the thread."),
    status: knownValue("ThreadStatus").optional().describe("Status: `idle`, `busy`, `interrupted` or `error`."),
    metadata: threadMetadata.optional().describe("Metadata by key. Keys keep their spelling."),
    values: freeForm
      .optional()
      .describe("Current state values, in the format of the graph; absent where the server does not return them."),
    config: freeForm.optional().describe("Configuration of the last run; absent where the server does not return it."),
    ttl: threadTtl
      .optional()
      .describe("Time to live after the last change; absent where the server does not return it."),
    createdAt: optionalText("Time of creation."),
    updatedAt: optionalText("Time of the last change."),
  })
  .register(fieldMetadata, { interface: "ThreadInfo", description: "A thread of an agent server." });

const checkpointSchema = z
  .looseObject({
    checkpointId: optionalText("ID of the checkpoint."),
    threadId: optionalText("ID of the thread."),
    checkpointNs: optionalText("Namespace of the subgraph; empty for the graph itself."),
  })
  .register(fieldMetadata, { interface: "CheckpointInfo" });

export const threadStateSchema = z
  .object({
    values: freeForm.optional().describe("State values, in the format of the graph."),
    next: z.array(z.string()).optional().describe("Nodes that run next; empty when the graph has finished."),
    tasks: z
      .array(freeForm)
      .optional()
      .describe("Pending tasks, each with its `name`, `error` and `interrupts`, as the server returns them."),
    metadata: z
      .looseObject({
        threadId: optionalText("ID of the thread."),
        checkpointId: optionalText("ID of the checkpoint."),
        graphId: optionalText("ID of the graph that wrote the state."),
        source: optionalText("What wrote the state, such as `input`, `loop` or `update`."),
        step: z.number().optional().describe("Number of the step: -1 for the input, then from 0."),
        writes: freeForm.optional().describe("Values that were written, by node."),
        parents: freeForm.optional().describe("Checkpoints of the enclosing graphs of a subgraph, by namespace."),
      })
      .register(fieldMetadata, { interface: "ThreadStateMetadataInfo" })
      .optional()
      .describe("Origin of the state; further keys keep their spelling. Absent where the thread has no checkpoint."),
    createdAt: optionalText("Time of writing; absent where the thread has no checkpoint."),
    checkpoint: checkpointSchema
      .optional()
      .describe("Checkpoint of the state; absent where the thread has no checkpoint."),
    parentCheckpoint: checkpointSchema.optional().describe("Previous checkpoint; absent for the first."),
    checkpointId: optionalText("ID of the checkpoint, for `checkpointId` of `getThreadState`."),
    parentCheckpointId: optionalText("ID of the previous checkpoint; absent for the first."),
  })
  .register(fieldMetadata, { interface: "ThreadStateInfo", description: "The state of a thread at a checkpoint." });

/** The filters of a search, and the order of its result. */
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

/** Maximum page size for threads and for states (API `4B`). */
export const MAX_PAGE_SIZE = 1000;

/** Reads threads and their states with all fields. */
export class ThreadReader {
  /** Reads a thread. Not every server supports a search by IDs, and servers reject the whole search for one malformed ID. */
  readonly get = createIdReader<ThreadInfo, ThreadInfo>({
    readMany: (ids) =>
      this.search({ ids: [...ids], limit: ids.length }).catch(inPlaceOf(({ isRejection }) => isRejection, [])),
    readOne: (id) => this.json.getObject(threadInfoSchema, { method: "GET", path: threadPath(id) }),
    idOf: ({ threadId }) => threadId,
    maxBatchSize: MAX_PAGE_SIZE,
  });

  constructor(private readonly json: JsonClient) {}

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

  /** Returns one page of the threads that match. */
  search(query: ThreadQuery & { limit: number; offset?: number }): Promise<ThreadInfo[]> {
    const body = this.json.encode(threadSearchSchema, query);
    return this.json.getList(threadInfoSchema, { method: "POST", path: "/threads/search", body, isRead: true });
  }

  /** Returns the latest state, or the state at a checkpoint. */
  getState(threadId: string, checkpointId?: string): Promise<ThreadStateInfo> {
    const path = threadPath(threadId, "state", ...(checkpointId === undefined ? [] : [checkpointId]));
    return this.json.getObject(threadStateSchema, { method: "GET", path });
  }

  /** Lists the states of a thread, newest first. Not every server returns pages after the first. @param limit States per page. */
  listStates(threadId: string, limit: number): Pages<ThreadStateInfo> {
    return paginateUntilRejected({
      noun: "states of the thread",
      limit,
      idOf: (state) => state.checkpointId,
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
