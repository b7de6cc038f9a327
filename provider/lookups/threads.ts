/** Threads and their states (interface section 4 B, interface-notes section 4). */
import { z } from "zod";
import type { AgentServer } from "../api/agent-server";
import { type ThreadInfo, threadInfo, threadSearch, threadState } from "../api/thread-reads";
import type { Clients } from "../connect";
import { PlainError, RequestError } from "../http/errors";
import { defineLookup, naming } from "./definition";
import { together } from "./together";

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

export const getThread = defineLookup({
  name: "getThread",
  sentence: "One thread of an agent server, by its id.",
  section: "4B",
  args: z.strictObject({ ...place, threadId }),
  exactlyOne,
  answer: threadInfo,
  read: async (args, clients) => oneThread(await serverOf(args, clients), args.threadId),
});

export const getThreads = defineLookup({
  name: "getThreads",
  sentence: "All threads of an agent server that match every filter, or the first of them where a `limit` is given.",
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
  answer: z.array(threadInfo),
  async read({ deploymentId, deploymentUrl, limit, ...query }, clients) {
    const { reads } = await serverOf({ deploymentId, deploymentUrl }, clients);
    return paged({
      what: "threads that match",
      limit,
      idOf: (thread) => thread.threadId,
      read: (most, { count }) => reads.search({ ...query, limit: most, ...(count > 0 && { offset: count }) }),
    });
  },
});

export const getThreadState = defineLookup({
  name: "getThreadState",
  sentence: "The state of a thread: the latest, or that at a checkpoint.",
  section: "4B",
  args: z.strictObject({
    ...place,
    threadId,
    checkpointId: naming("Id of the checkpoint; the latest when absent."),
  }),
  exactlyOne,
  answer: threadState,
  read: async (args, clients) => (await serverOf(args, clients)).reads.state(args.threadId, args.checkpointId),
});

export const getThreadHistory = defineLookup({
  name: "getThreadHistory",
  sentence: "The states of a thread, most recent first: all of them, or the latest where a `limit` is given.",
  section: "4B",
  args: z.strictObject({ ...place, threadId, limit: limit("So many at most; all when absent.") }),
  exactlyOne,
  answer: z.array(threadState),
  async read({ limit, threadId, ...where }, clients) {
    const { reads } = await serverOf(where, clients);
    return paged({
      what: "states of the thread",
      limit,
      idOf: (state) => state.checkpointId,
      read: (most, { last }) => reads.history(threadId, most, last?.checkpointId ?? undefined),
    });
  },
});

/** @throws PlainError when the deployment has no address. */
async function serverOf({ deploymentId = "", deploymentUrl }: Place, { agents }: Clients): Promise<AgentServer> {
  if (deploymentUrl !== undefined) return agents.written(deploymentUrl);
  const deployment = await agents.deployment(deploymentId);
  if (!deployment) {
    throw new PlainError(`There is no deployment ${deploymentId} in this workspace. Write the id of one that serves.`);
  }
  const url = deployment.sourceConfig?.customUrl;
  if (url) return agents.known(url);
  throw new PlainError(
    `Deployment ${deploymentId} has no address (its status is ${deployment.status}), so its threads cannot be reached. Does its first revision serve?`,
  );
}

/** Many threads in one search; what it does not show is asked by itself, since only that answer says why. */
const oneThread = together<AgentServer, ThreadInfo>(async (ids, { reads }) => {
  const found = ids.length > 1 ? await searched(ids, reads) : [];
  const one = (id: string) => reads.get(id).catch((error: Error) => error);
  return Promise.all(ids.map((id) => found.find((thread) => thread.threadId === id) ?? one(id)));
}, MOST);

/** Not every server can search by ids, and one that is none spoils the search for all. */
function searched(ids: readonly string[], reads: AgentServer["reads"]): Promise<ThreadInfo[]> {
  return reads.search({ ids: [...ids], limit: ids.length }).catch((error: unknown) => {
    if (isRefusal(error)) return [];
    throw error;
  });
}

/** The server answered, and will not have what it was asked. */
const isRefusal = (error: unknown) => error instanceof RequestError && !error.isTransient && !error.isDenied;

interface Paged<T> {
  what: string;
  limit: number | undefined;
  idOf(item: T): unknown;
  /** @param before How many came before, and the last of them. */
  read(most: number, before: { count: number; last: T | undefined }): Promise<T[]>;
}

/**
 * All, or so many. The first page needs nothing but what the interface shows; a further one does.
 * @throws PlainError when there may be more than the server can show.
 */
async function paged<T>({ what, limit = Number.POSITIVE_INFINITY, idOf, read }: Paged<T>): Promise<T[]> {
  const held = new Map<unknown, T>();
  const tooMany = () =>
    new PlainError(
      `There may be more than ${held.size} ${what}, and this server does not show those after them. Ask for fewer, or write  limit: ${held.size}.`,
    );
  for (let count = 0, last: T | undefined; ; ) {
    const most = Math.min(MOST, limit - held.size);
    const page = await read(most, { count, last }).catch((error: unknown) => {
      throw count > 0 && isRefusal(error) ? tooMany() : error;
    });
    const known = held.size;
    for (const item of page) held.set(idOf(item) ?? item, item);
    if (page.length > 0 && held.size === known) throw tooMany();
    if (page.length < most || held.size >= limit) return [...held.values()];
    count += page.length;
    last = page.at(-1);
  }
}
