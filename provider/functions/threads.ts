/** The functions for threads and their states (API `4B`). */
import { z } from "zod";
import { freeForm } from "../api/agent-server/assistants";
import { MAX_PAGE_SIZE } from "../api/agent-server/object-client";
import { exactlyOneServer, serverArgs } from "../api/agent-server/server-args";
import { type Thread, threadInfoSchema, threadSearchSchema, threadStateSchema } from "../api/agent-server/threads";
import { collectAll, type Pages } from "../api/pagination";
import { isPropertyMap, optionalName } from "../schema/schema";
import { defineFunction } from "./definition";

const threadId = z.string().min(1).describe("ID of the thread.");

const limit = (what: string) => z.int().min(1).optional().describe(what);

export const getThread = defineFunction({
  name: "getThread",
  description: "Returns one thread of an agent server, by its ID.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({ ...serverArgs, threadId }),
  exactlyOne: exactlyOneServer,
  result: threadInfoSchema,
  read: async (args, clients) => (await clients.agentServers.resolve("threads", args)).threads.read(args.threadId),
});

export const getThreads = defineFunction({
  name: "getThreads",
  description: "Returns all threads of an agent server that match every filter, or the first `limit` of them.",
  example: {
    plain: '{ deploymentId, metadata: { graph_id: "agent" } }',
    output: '{ deploymentId: agent.id, metadata: { graph_id: "agent" } }',
  },
  section: "4B",
  args: z.strictObject({
    ...serverArgs,
    ids: z.array(z.string()).optional().describe("IDs of threads."),
    status: threadSearchSchema.shape.status.describe("Status of the threads."),
    metadata: threadSearchSchema.shape.metadata.describe(
      "Metadata that the threads contain, by key. Keys keep their spelling.",
    ),
    values: freeForm.optional().describe("State values that the threads contain, in the format of the graph."),
    sortBy: threadSearchSchema.shape.sortBy.describe("Field to sort by. Chosen by the server if not set."),
    sortOrder: threadSearchSchema.shape.sortOrder.describe(
      "Sort order: ascending (`asc`) or descending (`desc`). Chosen by the server if not set.",
    ),
    limit: limit("Maximum number of threads. Defaults to all."),
  }),
  exactlyOne: exactlyOneServer,
  result: z.array(threadInfoSchema),
  async read({ deploymentId, deploymentUrl, limit, values, ...query }, clients) {
    const { threads } = await clients.agentServers.resolve("threads", { deploymentId, deploymentUrl });
    if (values === undefined) return takeFirst(limit, (pageSize) => threads.list(query, pageSize));
    // One published server ignores this filter, and the other one fails for it (API `4B.POST /threads/search:values`).
    const matches = (thread: Thread) => contains(thread.values, values);
    const all = await collectAll(
      threads.list(query, MAX_PAGE_SIZE),
      (found) => found.filter(matches).length >= (limit ?? Number.POSITIVE_INFINITY),
    );
    return all.filter(matches).slice(0, limit);
  },
});

export const getThreadState = defineFunction({
  name: "getThreadState",
  description: "Returns the latest state of a thread, or its state at a checkpoint.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({
    ...serverArgs,
    threadId,
    checkpointId: optionalName("ID of the checkpoint. Defaults to the latest."),
  }),
  exactlyOne: exactlyOneServer,
  result: threadStateSchema,
  read: async (args, clients) =>
    (await clients.agentServers.resolve("threads", args)).states.get(args.threadId, args.checkpointId),
});

export const getThreadHistory = defineFunction({
  name: "getThreadHistory",
  description: "Returns all states of a thread, newest first, or the latest `limit` of them.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({ ...serverArgs, threadId, limit: limit("Maximum number of states. Defaults to all.") }),
  exactlyOne: exactlyOneServer,
  result: z.array(threadStateSchema),
  async read({ limit, threadId, ...server }, clients) {
    const { states } = await clients.agentServers.resolve("threads", server);
    return takeFirst(limit, (pageSize) => states.list(threadId, pageSize));
  },
});

function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((expected) => whole.some((item) => contains(item, expected)));
  if (!isPropertyMap(part)) return whole === part;
  return isPropertyMap(whole) && Object.entries(part).every(([key, expected]) => contains(whole[key], expected));
}

async function takeFirst<T>(limit = Number.POSITIVE_INFINITY, list: (pageSize: number) => Pages<T>): Promise<T[]> {
  return (await collectAll(list(Math.min(MAX_PAGE_SIZE, limit)), ({ length }) => length >= limit)).slice(0, limit);
}
