/** Threads and their states (interface section 4 B, interface-notes section 4). */
import { z } from "zod";
import type { AgentServerClient } from "../api/agent-server/client";
import {
  isRejection,
  type ThreadInfo,
  threadInfoSchema,
  threadSearchSchema,
  threadStateSchema,
} from "../api/agent-server/thread-reader";
import type { Clients } from "../api/clients";
import { collectAll, type Pages } from "../api/pagination";
import { UserError } from "../text/user-error";
import { batched } from "./batch";
import { defineFunction, optionalName } from "./definition";

/** Where threads live, as the resource Thread says it. */
const serverArgs = {
  deploymentId: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Id of the deployment whose agent server holds them; the control plane tells its address. This or `deploymentUrl`.",
    ),
  deploymentUrl: z
    .url()
    .optional()
    .describe(
      "Base URL of an agent server that the control plane may not know, with its path if it has one. This or `deploymentId`.",
    ),
};
const exactlyOne = ["deploymentId", "deploymentUrl"] as const;
interface ServerArgs {
  deploymentId?: string | undefined;
  deploymentUrl?: string | undefined;
}
const threadId = z.string().min(1).describe("Id of the thread.");

/** Largest page of threads and of states (interface-notes section 4). */
const MAX_PAGE_SIZE = 1000;
const limit = (what: string) => z.int().min(1).optional().describe(what);

export const getThread = defineFunction({
  name: "getThread",
  description: "One thread of an agent server, by its id.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({ ...serverArgs, threadId }),
  exactlyOne,
  result: threadInfoSchema,
  read: async (args, clients) => findThread(await resolveServer(args, clients), args.threadId),
});

export const getThreads = defineFunction({
  name: "getThreads",
  description: "All threads of an agent server that match every filter, or the first of them where a `limit` is given.",
  example: {
    plain: '{ deploymentId, metadata: { graph_id: "agent" } }',
    output: '{ deploymentId: agent.id, metadata: { graph_id: "agent" } }',
  },
  section: "4B",
  args: z.strictObject({
    ...serverArgs,
    ids: z.array(z.string()).optional().describe("Their ids."),
    status: threadSearchSchema.shape.status.describe("Their status."),
    metadata: threadSearchSchema.shape.metadata.describe(
      "Metadata that they hold, by key, as whoever wrote them spelt the keys.",
    ),
    values: threadSearchSchema.shape.values.describe("State values that they hold, in the graph's own form."),
    sortBy: threadSearchSchema.shape.sortBy.describe("What they are sorted by; the server decides when absent."),
    sortOrder: threadSearchSchema.shape.sortOrder.describe(
      "Smallest first (`asc`) or last; the server decides when absent.",
    ),
    limit: limit("So many at most; all when absent."),
  }),
  exactlyOne,
  result: z.array(threadInfoSchema),
  async read({ deploymentId, deploymentUrl, limit, ...query }, clients) {
    const { threads: reads } = await resolveServer({ deploymentId, deploymentUrl }, clients);
    return takeFirst(limit, (pageSize) => reads.list(query, pageSize));
  },
});

export const getThreadState = defineFunction({
  name: "getThreadState",
  description: "The state of a thread: the latest, or that at a checkpoint.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({
    ...serverArgs,
    threadId,
    checkpointId: optionalName("Id of the checkpoint; the latest when absent."),
  }),
  exactlyOne,
  result: threadStateSchema,
  read: async (args, clients) =>
    (await resolveServer(args, clients)).threads.getState(args.threadId, args.checkpointId),
});

export const getThreadHistory = defineFunction({
  name: "getThreadHistory",
  description: "The states of a thread, most recent first: all of them, or the latest where a `limit` is given.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({ ...serverArgs, threadId, limit: limit("So many at most; all when absent.") }),
  exactlyOne,
  result: z.array(threadStateSchema),
  async read({ limit, threadId, ...server }, clients) {
    const { threads: reads } = await resolveServer(server, clients);
    return takeFirst(limit, (pageSize) => reads.listStates(threadId, pageSize));
  },
});

/** @throws UserError when the deployment has no address. */
async function resolveServer(
  { deploymentId = "", deploymentUrl }: ServerArgs,
  { agentServers: agents }: Clients,
): Promise<AgentServerClient> {
  if (deploymentUrl !== undefined) return agents.serverFromUserUrl(deploymentUrl);
  const deployment = await agents.findDeployment(deploymentId);
  if (!deployment) {
    throw new UserError(`There is no deployment ${deploymentId} in this workspace. Write the id of one that serves.`);
  }
  const url = deployment.sourceConfig?.customUrl;
  if (url) return agents.trustedServer(url);
  throw new UserError(
    `Deployment ${deploymentId} has no URL (status ${deployment.status}), so its threads cannot be reached. Check that a revision of it is live.`,
  );
}

/** Many threads in one search; what it does not show is asked by itself, since only that answer says why. */
const findThread = batched<AgentServerClient, ThreadInfo>(async (ids, { threads: reads }) => {
  const threads = ids.length > 1 ? await searchByIds(ids, reads) : [];
  const one = (id: string) => reads.get(id).catch((error: Error) => error);
  return Promise.all(ids.map((id) => threads.find((thread) => thread.threadId === id) ?? one(id)));
}, MAX_PAGE_SIZE);

/** Not every server can search by ids, and one that is none spoils the search for all. */
function searchByIds(ids: readonly string[], reads: AgentServerClient["threads"]): Promise<ThreadInfo[]> {
  return reads.search({ ids: [...ids], limit: ids.length }).catch((error: unknown) => {
    if (isRejection(error)) return [];
    throw error;
  });
}

/** All, or so many. @throws IncompleteListError when there may be more than the server can show. */
async function takeFirst<T>(limit = Number.POSITIVE_INFINITY, list: (pageSize: number) => Pages<T>): Promise<T[]> {
  return (await collectAll(list(Math.min(MAX_PAGE_SIZE, limit)), ({ length }) => length >= limit)).slice(0, limit);
}
