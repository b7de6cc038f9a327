/**
 * A check that compares the threads that wait for an answer with the graphs that are live now. Servers compute the
 * state of a thread with the live graph: a thread that waited in a node that it no longer has would run nothing (API
 * `2B.Thread state.next:live`).
 */
import type { AgentServerClient } from "../../../api/agent-server/client";
import type { Thread } from "../../../api/agent-server/threads";
import { collectAvailable, findFirst } from "../../../api/pagination";
import type { Clock } from "../../../http/clock";
import { isUnknownPath } from "../../../http/error-detail";
import { HttpError, ignoreHttpError } from "../../../http/errors";
import { ConcurrencyLimiter } from "../../../http/limits";
import { defaultAssistantId } from "../../../schema/id";
import type { ConversationsCheck } from "../schema/verify";
import { type CheckRun, type Mismatch, within } from "./check-run";

const MAX_CONCURRENT = 8;
const PAGE_SIZE = 100;
const DEFAULT_MAX_THREADS = 1000;
const BEFORE_ROLLOUT_MS = 10_000;

interface WaitingThread {
  id: string;
  graphId: string;
  /** What the live graph would run; undefined where the server no longer has the graph. */
  next: readonly string[] | undefined;
}

/** The nodes in which threads waited before the rollouts, by deployment and thread: no server says so later. */
export class WaitingBefore {
  private readonly byDeployment = new Map<string, ReadonlyMap<string, readonly string[]>>();

  /** Reads them as far as the server shows them within a short time. */
  async read(deploymentId: string, check: ConversationsCheck, server: AgentServerClient, clock: Clock): Promise<void> {
    const reading = within(clock, BEFORE_ROLLOUT_MS, (signal) => readWaiting(check, server, signal));
    const { threads = [] } = (await reading.catch(ignoreHttpError)) ?? {};
    this.byDeployment.set(deploymentId, new Map(threads.map(({ id, next = [] }) => [id, next])));
  }

  nodesOf(deploymentId: string, threadId: string): readonly string[] {
    return this.byDeployment.get(deploymentId)?.get(threadId) ?? [];
  }
}

export async function compareConversations(
  check: ConversationsCheck,
  { live, server, ctx }: CheckRun,
  timeout: { ms: number; text: string },
): Promise<Mismatch | undefined> {
  const expected = "threads that wait for an answer to be able to continue";
  const compared = await within(ctx.clock, timeout.ms, async (signal) => {
    const { threads, isCut } = await readWaiting(check, server, signal);
    const before = ctx.scope.get(WaitingBefore);
    return { isCut, lost: await findLost(threads, server, (id) => before.nodesOf(live.id, id)) };
  });
  if (!compared) return { expected, actual: `no result within ${timeout.text}` };
  const { isCut, lost } = compared;
  const limit = isCut
    ? `only the first ${check.maxThreads ?? DEFAULT_MAX_THREADS} threads that wait were compared`
    : "";
  if (lost.length > 0) return { expected, actual: [...lost, ...(isCut ? [limit] : [])].join("\n") };
  if (isCut) ctx.log.warn(`verify: ${limit}. See maxThreads.`);
  return undefined;
}

async function readWaiting(
  { maxThreads = DEFAULT_MAX_THREADS }: ConversationsCheck,
  server: AgentServerClient,
  signal: AbortSignal,
): Promise<{ threads: WaitingThread[]; isCut: boolean }> {
  const isWaiting = ({ status }: Thread) => status === "interrupted";
  const pages = server.threads.list({ status: "interrupted" }, Math.min(PAGE_SIZE, maxThreads + 1));
  // Not every server filters.
  const isEnough = (all: readonly Thread[]) => signal.aborted || all.filter(isWaiting).length > maxThreads;
  const { items, isTruncated } = await collectAvailable(pages, isEnough);
  const waiting = items.filter(isWaiting);
  const limiter = new ConcurrencyLimiter(MAX_CONCURRENT);
  const read = async (thread: Thread) => (signal.aborted ? [] : readState(thread, server));
  const threads = waiting.slice(0, maxThreads).map((thread) => limiter.run(() => read(thread)));
  return { threads: (await Promise.all(threads)).flat(), isCut: isTruncated || waiting.length > maxThreads };
}

/** Returns what a thread waits for: nothing where it no longer does, or has no graph yet. */
async function readState(thread: Thread, server: AgentServerClient): Promise<WaitingThread[]> {
  const { threadId: id, metadata } = thread;
  const graphId = typeof metadata?.graph_id === "string" ? metadata.graph_id : undefined;
  try {
    const { next, metadata: written } = await server.states.get(id);
    const named = graphId ?? written?.graphId ?? undefined;
    if (named === undefined || written == null) return [];
    // It may have continued between both requests.
    const isOver = !next?.length && (await server.threads.get(id))?.status !== "interrupted";
    return isOver ? [] : [{ id, graphId: named, next: next ?? [] }];
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isNotFound || isUnknownPath(error.detail)) throw error;
    // Otherwise the thread was deleted.
    return graphId !== undefined && isAboutGraph(error) ? [{ id, graphId, next: undefined }] : [];
  }
}

const isAboutGraph = ({ detail }: HttpError) => /\bgraph\b/i.test(detail);

async function findLost(
  threads: readonly WaitingThread[],
  server: AgentServerClient,
  nodesBefore: (threadId: string) => readonly string[],
): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const [graphId, ofGraph] of Object.entries(Object.groupBy(threads, (thread) => thread.graphId))) {
    const nodes = await findNodes(graphId, ofGraph ?? [], server);
    for (const { id, next } of ofGraph ?? []) {
      const lost = describeLost(graphId, next, { nodes, before: nodesBefore(id) });
      if (lost !== undefined) counts.set(lost, (counts.get(lost) ?? 0) + 1);
    }
  }
  const byCount = [...counts].sort(([, left], [, right]) => right - left);
  return byCount.map(([where, count]) => `${count === 1 ? "1 thread waits" : `${count} threads wait`} in ${where}`);
}

/** Describes where a thread waits that cannot continue. @param nodes Undefined if the server lacks the graph. */
function describeLost(
  graphId: string,
  next: readonly string[] | undefined,
  { nodes, before }: { nodes: readonly string[] | undefined; before: readonly string[] },
): string | undefined {
  const graph = `graph ${JSON.stringify(graphId)}`;
  if (next === undefined || nodes === undefined) return `${graph}, which the agent server no longer has`;
  const names = next.length > 0 ? next : before;
  const missing = names.find((name) => !name.startsWith("__") && !nodes.includes(name));
  if (missing !== undefined) return `node ${JSON.stringify(missing)}, which ${graph} no longer has`;
  return next.length === 0 ? `a node that ${graph} no longer has` : undefined;
}

/** Returns the nodes of a graph; undefined without the graph. @throws HttpError when the server hides them. */
async function findNodes(
  graphId: string,
  threads: readonly WaitingThread[],
  { assistants }: AgentServerClient,
): Promise<readonly string[] | undefined> {
  if (threads.every(({ next }) => next === undefined)) return undefined;
  let failure: HttpError | undefined;
  const read = async (id: string) =>
    assistants.getNodes(id).catch((error: unknown) => {
      if (!(error instanceof HttpError) || !(error.isUnsupportedRoute || error.isInvalid)) throw error;
      failure = error;
      return undefined;
    });
  const nodes = await read(defaultAssistantId(graphId));
  if (nodes) return nodes;
  const other = await findFirst(assistants.list({ graphId }), () => true);
  if (!other || (failure && isAboutGraph(failure))) return undefined;
  const nodesOfOther = await read(other.assistantId);
  if (nodesOfOther) return nodesOfOther;
  const detail = `the agent server does not show the nodes of graph ${JSON.stringify(graphId)}`;
  throw new HttpError({ status: 404, ...failure, method: "GET", path: "/assistants/{id}/graph", detail });
}
