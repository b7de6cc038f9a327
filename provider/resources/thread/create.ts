/**
 * Creates a thread exactly once: the client chooses the ID, and the server does nothing when the ID is taken. On servers
 * that assign their own IDs, the metadata show which thread this resource created.
 */
import { type Thread, UnappliedError } from "../../api/agent-server/client";
import type { Observation } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { existedBefore, serverTimeOfStart } from "../shared/agent-server/creation-time";
import { decide } from "../shared/agent-server/decision-table";
import { formatIds, formatRemedies, takeResumed } from "../shared/agent-server/messages";
import { pollForCreated } from "../shared/idempotent-create";
import { sendWithRouteRetry } from "../shared/optional-route";
import { type Action, DECISIONS, type Situation } from "./decisions";
import { type Inputs, REQUEST_KEY, type State, THREAD } from "./fields";
import { idsOf, warnOfLeftovers, warnOfUnproven } from "./leftovers";
import { toCreateRequest, toState } from "./mapping";
import { type Attempt, createTags, findCreated, findTagged, isProven, toConflictError } from "./ownership";
import { completeThread, removeThread } from "./requests";

/** What the create knows so far. */
interface Knowledge extends Pick<Situation, "idBy" | "isSearched" | "supersteps" | "canRecreate"> {
  /** The thread of this request. */
  created?: Thread | undefined;
  /** That of an earlier run. */
  earlier?: Thread | undefined;
  /** Whether the response had another ID than the requested one. */
  hasOtherId: boolean;
  /** Threads with the ownership marker that this resource may not have created. */
  unprovenThreads: readonly Thread[];
}

export async function createThread(attempt: Attempt): Promise<Observation<Inputs, State>> {
  const thread = await ensureThread(attempt);
  const complete = await completeThread(thread, attempt);
  await warnOfLeftovers(thread, attempt);
  return complete;
}

/** Returns the thread, created now or by an earlier run of this resource. */
async function ensureThread(attempt: Attempt): Promise<Thread> {
  let known = await begin(attempt, true);
  for (;;) {
    const action = decide(DECISIONS, situationOf(known, attempt));
    if (action === "use" || action === "resume") return STEPS[action](known, attempt);
    known = await STEPS[action](known, attempt);
  }
}

async function begin({ server }: Attempt, canRecreate: boolean): Promise<Knowledge> {
  // A server without that route assigns its own IDs.
  const idBy = (await server.checkReadiness()) === "unsupported" ? "server" : "client";
  return { idBy, isSearched: false, supersteps: "unknown", canRecreate, hasOtherId: false, unprovenThreads: [] };
}

function situationOf(known: Knowledge, attempt: Attempt): Situation {
  const { created, earlier } = known;
  return {
    ...known,
    found: created && earlier ? "both" : created ? "new" : earlier ? "earlier" : "nothing",
    declaresId: attempt.desired.threadId !== undefined,
    isProven: earlier !== undefined && isProven(earlier, attempt),
  };
}

const threadOf = ({ created, earlier }: Knowledge): Thread => (earlier ?? created) as Thread;

/** By action: its result is the thread, or what is known afterwards. */
const STEPS = {
  async search(known, attempt) {
    const { provenThread, unprovenThreads } = await findTagged(attempt);
    const earlier = provenThread?.threadId === known.created?.threadId ? undefined : provenThread;
    return { ...known, isSearched: true, earlier, unprovenThreads };
  },

  async create(known, attempt) {
    const startedAt = serverTimeOfStart(attempt.server, attempt.ctx);
    const { thread, hasResponse } = await postThread(attempt, known.idBy === "server");
    if (hasResponse && thread.threadId !== attempt.id)
      return { ...known, idBy: "server", hasOtherId: true, created: thread, supersteps: "applied" };
    const isEarlier = existedBefore(thread, startedAt()) || !isUntaggedOrProven(thread, attempt);
    const found = { ...known, unprovenThreads: [], [isEarlier ? "earlier" : "created"]: thread };
    return { ...found, supersteps: hasResponse && !isEarlier ? "applied" : "unknown" };
  },

  async discard(known, attempt) {
    const { created, earlier } = known;
    const { server, ctx } = attempt;
    if ((await removeThread(created?.threadId ?? "", attempt, ctx)) === "gone")
      return { ...known, created: undefined, supersteps: "unknown", canRecreate: false };
    ctx.log.warn(
      `An interrupted run left thread ${earlier?.threadId} at ${server.url}, which does not support deletion. This resource now manages ${created?.threadId}.`,
    );
    return { ...known, earlier: undefined, unprovenThreads: [] };
  },

  async refuse(known, attempt) {
    throw toConflictError(threadOf(known), attempt);
  },

  async inspect(known, { server, desired }) {
    const steps = Math.min(desired.supersteps?.length ?? 0, MAX_CHECKPOINTS);
    const isComplete = steps === 0 || (await server.countCheckpoints(threadOf(known).threadId, steps)) >= steps;
    return { ...known, supersteps: isComplete ? "applied" : "missing" };
  },

  async use(known, attempt) {
    const thread = threadOf(known);
    warnOfUnproven(known.unprovenThreads, thread, attempt);
    warnOfOtherId(known, attempt);
    return thread;
  },

  async resume(known, attempt) {
    const thread = threadOf(known);
    takeResumed(THREAD, thread.threadId, attempt, " Its history is kept.");
    warnOfOtherId(known, attempt);
    return thread;
  },

  async recreate(known, attempt) {
    const removal = await removeThread(threadOf(known).threadId, attempt, attempt.ctx);
    return removal === "gone" ? begin(attempt, false) : { ...known, canRecreate: false };
  },

  async keepPartial(known, attempt) {
    const thread = threadOf(known);
    return failPartial(
      thread,
      `Thread ${thread.threadId} already exists at ${attempt.server.url} without all of its supersteps, and this server does not support deletion. It is kept in state. Delete it manually, or change supersteps or threadId.`,
      attempt,
    );
  },
} satisfies Record<Action, (known: Knowledge, attempt: Attempt) => Promise<Knowledge | Thread>>;

function warnOfOtherId(known: Knowledge, { desired, ctx }: Attempt): void {
  if (!known.hasOtherId || desired.threadId === undefined) return;
  ctx.log.warn(`threadId: the server assigned its own ID: ${threadOf(known).threadId}.`);
}

/** Fails, and keeps a thread in state without its supersteps, as the server does, so that the next run replaces it. */
function failPartial(thread: Thread, message: string, { desired, ctx, ...endpoint }: Attempt): never {
  const inputs = { ...desired, supersteps: undefined };
  ctx.record({ id: thread.threadId, inputs, state: toState(thread, endpoint) });
  throw new UserError(message);
}

/** Whether a thread can be the result of this request: ownership markers are disabled, or it has the right ones. */
const isUntaggedOrProven = (thread: Thread, attempt: Attempt): boolean =>
  attempt.ownershipTag === undefined ||
  isProven(thread, attempt) ||
  thread.metadata?.[REQUEST_KEY] === attempt.requestId;

/** Sends the create request once; returns the thread, and whether the response contained it. */
async function postThread(attempt: Attempt, choosesIds: boolean): Promise<{ thread: Thread; hasResponse: boolean }> {
  const { server, desired, ctx } = attempt;
  try {
    const body = toCreateRequest(desired, attempt.id, requestTagsOf(attempt, choosesIds));
    return { thread: await sendWithRouteRetry(() => server.createThread(body), ctx.clock), hasResponse: true };
  } catch (error) {
    if (error instanceof UnappliedError) return rollBackCreate(attempt, error);
    if (!(error instanceof HttpError) || !(error.outcomeUnknown || error.status === 409)) throw error;
    const [thread] = await pollForCreated(() => findCreated(attempt), error, ctx.clock);
    if (thread) return { thread, hasResponse: false };
    throw error.withHint(
      `The server has no such thread, so it was probably not created. Run \`pulumi up\` again.${await describeCandidates(attempt)}`,
    );
  }
}

/** When the server assigns the ID, only a tag with the request's own ID identifies the thread later. */
const requestTagsOf = (attempt: Attempt, choosesIds: boolean): Record<string, string> => ({
  ...createTags(attempt, attempt.id),
  ...(choosesIds && attempt.ownershipTag !== undefined && { [REQUEST_KEY]: attempt.requestId }),
});

/** Lists the threads that a request with a lost response may have created, with what to do; empty when none exists. */
async function describeCandidates(attempt: Attempt): Promise<string> {
  const { unprovenThreads } = await findTagged(attempt);
  if (unprovenThreads.length === 0) return "";
  const ids = idsOf(unprovenThreads);
  return ` If it was created after all, it is one of these: ${formatIds(ids)}.\n${formatRemedies(THREAD, ids, attempt)}`;
}

/** The largest page of a history (API `4B.POST /threads/{thread_id}/history:limit`). */
const MAX_CHECKPOINTS = 1000;

/** Deletes the thread that a failed request may have left without its supersteps. */
async function rollBackCreate(attempt: Attempt, error: UnappliedError): Promise<never> {
  const hint =
    "The server could not apply the supersteps. Check that metadata.graph_id names a graph of this server and asNode a node of that graph.";
  const withOutcome = (outcome: string) => error.withHint(`${hint} ${outcome}`);
  let leftover: Thread | undefined;
  let isDeleted = false;
  try {
    [leftover] = await findCreated(attempt);
    isDeleted = leftover === undefined || (await removeThread(leftover.threadId, attempt, attempt.ctx)) === "gone";
  } catch (failure) {
    if (!(failure instanceof HttpError)) throw failure;
    if (!leftover)
      throw withOutcome(
        `Could not determine whether a thread was left behind (${failure.shortCode}); the next \`pulumi up\` checks again.`,
      );
  }
  if (isDeleted || !leftover) throw withOutcome("Nothing was left behind.");
  const { message } = withOutcome(
    `Thread ${leftover.threadId} exists without them and is kept in state; the next \`pulumi up\` replaces it.`,
  );
  return failPartial(leftover, message, attempt);
}
