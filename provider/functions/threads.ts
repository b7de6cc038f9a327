/** Threads and their states (interface section 4 B, interface-notes section 4). */
import { z } from "zod";
import type { AgentServerClient } from "../api/agent-server/client";
import { isRefusal, type ThreadInfo, threadInfo, threadSearch, threadState } from "../api/agent-server/thread-reader";
import type { Clients } from "../api/clients";
import { collectAll, type Pages } from "../api/pagination";
import { UserError } from "../text/user-error";
import { batched } from "./batch";
import { defineFunction, naming } from "./definition";

/** Where threads live, as the resource Thread says it. */
const place = {
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
interface Place {
  deploymentId?: string | undefined;
  deploymentUrl?: string | undefined;
}
const threadId = z.string().min(1).describe("Id of the thread.");

/** Largest page of threads and of states (interface-notes section 4). */
const MOST = 1000;
const limit = (what: string) => z.int().min(1).optional().describe(what);

export const getThread = defineFunction({
  name: "getThread",
  description: "One thread of an agent server, by its id.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({ ...place, threadId }),
  exactlyOne,
  result: threadInfo,
  read: async (args, clients) => oneThread(await serverOf(args, clients), args.threadId),
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
    ...place,
    ids: z.array(z.string()).optional().describe("Their ids."),
    status: threadSearch.shape.status.describe("Their status."),
    metadata: threadSearch.shape.metadata.describe(
      "Metadata that they hold, by key, as whoever wrote them spelt the keys.",
    ),
    values: threadSearch.shape.values.describe("State values that they hold, in the graph's own form."),
    sortBy: threadSearch.shape.sortBy.describe("What they are sorted by; the server decides when absent."),
    sortOrder: threadSearch.shape.sortOrder.describe("Smallest first (`asc`) or last; the server decides when absent."),
    limit: limit("So many at most; all when absent."),
  }),
  exactlyOne,
  result: z.array(threadInfo),
  async read({ deploymentId, deploymentUrl, limit, ...query }, clients) {
    const { reads } = await serverOf({ deploymentId, deploymentUrl }, clients);
    return first(limit, (pageSize) => reads.searchAll(query, pageSize));
  },
});

export const getThreadState = defineFunction({
  name: "getThreadState",
  description: "The state of a thread: the latest, or that at a checkpoint.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({
    ...place,
    threadId,
    checkpointId: naming("Id of the checkpoint; the latest when absent."),
  }),
  exactlyOne,
  result: threadState,
  read: async (args, clients) => (await serverOf(args, clients)).reads.state(args.threadId, args.checkpointId),
});

export const getThreadHistory = defineFunction({
  name: "getThreadHistory",
  description: "The states of a thread, most recent first: all of them, or the latest where a `limit` is given.",
  example: { plain: "{ deploymentId, threadId }", output: "{ deploymentId: agent.id, threadId: welcome.id }" },
  section: "4B",
  args: z.strictObject({ ...place, threadId, limit: limit("So many at most; all when absent.") }),
  exactlyOne,
  result: z.array(threadState),
  async read({ limit, threadId, ...where }, clients) {
    const { reads } = await serverOf(where, clients);
    return first(limit, (pageSize) => reads.history(threadId, pageSize));
  },
});

/** @throws UserError when the deployment has no address. */
async function serverOf({ deploymentId = "", deploymentUrl }: Place, { agents }: Clients): Promise<AgentServerClient> {
  if (deploymentUrl !== undefined) return agents.serverFromUserUrl(deploymentUrl);
  const deployment = await agents.deployment(deploymentId);
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
const oneThread = batched<AgentServerClient, ThreadInfo>(async (ids, { reads }) => {
  const found = ids.length > 1 ? await searched(ids, reads) : [];
  const one = (id: string) => reads.get(id).catch((error: Error) => error);
  return Promise.all(ids.map((id) => found.find((thread) => thread.threadId === id) ?? one(id)));
}, MOST);

/** Not every server can search by ids, and one that is none spoils the search for all. */
function searched(ids: readonly string[], reads: AgentServerClient["reads"]): Promise<ThreadInfo[]> {
  return reads.search({ ids: [...ids], limit: ids.length }).catch((error: unknown) => {
    if (isRefusal(error)) return [];
    throw error;
  });
}

/** All, or so many. @throws IncompleteListError when there may be more than the server can show. */
async function first<T>(limit = Number.POSITIVE_INFINITY, list: (pageSize: number) => Pages<T>): Promise<T[]> {
  return (await collectAll(list(Math.min(MOST, limit)), ({ length }) => length >= limit)).slice(0, limit);
}
