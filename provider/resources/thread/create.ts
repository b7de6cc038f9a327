/**
 * Creates a thread exactly once: the client chooses the ID, and the server rejects one that is taken. On servers that assign
 * their own IDs, the metadata show which thread this resource created.
 */
import { type Thread, UnappliedError } from "../../api/agent-server/client";
import type { Observation } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { existedBefore, serverTimeOfStart } from "../../objects/creation-time";
import { decide } from "../../objects/decision-table";
import { pollForCreated } from "../../objects/lost-response";
import { takeResumed } from "../../objects/messages";
import { withServerKeys } from "../../objects/server-keys";
import { UserError } from "../../text/user-error";
import { type Action, DECISIONS, type Situation } from "./decisions";
import { explainFailure, toConflictError, toUnmarkedError } from "./errors";
import { type Inputs, type State, THREAD } from "./fields";
import { warnOfLeftovers, warnOfUnproven } from "./leftovers";
import { toState } from "./mapping";
import { type Attempt, findTagged, isOfRequest, isOwn } from "./ownership";
import { requestThread } from "./post";
import { completeThread, removeThread } from "./requests";
import { appliedSupersteps } from "./supersteps";
import { warnOfTtl } from "./ttl";

/** What the create knows so far. */
interface Knowledge extends Pick<Situation, "isRead" | "supersteps"> {
  /** Who assigns its ID. The client requests one, but a server may assign its own. */
  idBy: "client" | "server";
  /** The thread of this request. */
  created?: Thread | undefined;
  /** One that exists besides. */
  earlier?: Thread | undefined;
  /** Why the request has no usable response. */
  failure?: HttpError | undefined;
  /** Whether the response had another ID than the requested one. */
  hasOtherId: boolean;
  /** Threads with the ownership marker that this resource may not have created. */
  unprovenThreads: readonly Thread[];
}

export async function createThread(attempt: Attempt): Promise<Observation<Inputs, State>> {
  const thread = await ensureThread(attempt);
  const complete = await completeThread(thread, attempt);
  const { ttl } = attempt.desired;
  if (ttl) await warnOfTtl({ threadId: thread.threadId }, ttl, attempt, attempt.ctx);
  await warnOfLeftovers(thread, attempt);
  return complete;
}

/** Returns the thread, created now or by an earlier run of this resource. */
async function ensureThread(attempt: Attempt): Promise<Thread> {
  // A server without that route assigns its own IDs.
  const idBy = (await attempt.server.checkReadiness()) === "unsupported" ? "server" : "client";
  let known: Knowledge = { idBy, isRead: false, supersteps: "unknown", hasOtherId: false, unprovenThreads: [] };
  for (;;) {
    const action = decide(DECISIONS, situationOf(known, attempt));
    if (action === "use" || action === "resume") return STEPS[action](known, attempt);
    known = await STEPS[action](known, attempt);
  }
}

function situationOf(known: Knowledge, attempt: Attempt): Situation {
  const { created, earlier, isRead, supersteps } = known;
  return {
    ...{ isRead, supersteps },
    found: created && earlier ? "both" : created ? "new" : earlier ? "earlier" : "nothing",
    isOwn: earlier === undefined || isOwn(earlier, attempt),
  };
}

const threadOf = ({ created, earlier }: Knowledge): Thread => (earlier ?? created) as Thread;

/** By action: its result is the thread, or what is known afterwards. */
const STEPS = {
  async read(known, attempt) {
    if (known.idBy === "client")
      return { ...known, isRead: true, earlier: await attempt.server.lookUpThread(attempt.id) };
    const { provenThread, unprovenThreads } = await findTagged(attempt);
    const earlier = provenThread?.threadId === known.created?.threadId ? undefined : provenThread;
    return { ...known, isRead: true, earlier, unprovenThreads };
  },

  async create(known, attempt) {
    const startedAt = serverTimeOfStart(attempt.server, attempt.ctx);
    const { thread, failure } = await requestThread(attempt);
    const existed = existedBefore(thread, startedAt());
    const isNew = !existed && isOfRequest(thread, attempt, failure === undefined);
    if (!failure && thread.threadId.toLowerCase() !== attempt.id) {
      if (!isNew) throw toUnmarkedError(thread, attempt);
      const isRead = known.idBy === "server";
      return { ...known, idBy: "server", isRead, hasOtherId: true, created: thread, supersteps: "applied" };
    }
    const found = { ...known, unprovenThreads: [], failure, [isNew ? "created" : "earlier"]: thread };
    return { ...found, supersteps: isNew && !failure ? "applied" : "unknown" };
  },

  async discard(known, attempt) {
    const { created, earlier } = known;
    const { server, ctx } = attempt;
    if ((await removeThread(created?.threadId ?? "", attempt, ctx)) === "gone")
      return { ...known, created: undefined, supersteps: "unknown" };
    ctx.log.warn(
      `An interrupted run left thread ${earlier?.threadId} at ${server.url}, which does not support deletion. This resource now manages ${created?.threadId}.`,
    );
    return { ...known, earlier: undefined, unprovenThreads: [] };
  },

  async refuse(known, attempt) {
    throw toConflictError(threadOf(known), attempt, known.failure);
  },

  async inspect(known, { desired, server, ctx }) {
    const thread = threadOf(known);
    const { failure } = known;
    // What the server itself denies cannot be in the history, which some servers do not list.
    if (known.created && failure && isRefusal(failure)) return { ...known, supersteps: "none" };
    if (!known.created || !failure) return { ...known, supersteps: await appliedSupersteps(thread, desired, server) };
    // The server may still process the request.
    let supersteps: Situation["supersteps"] = "unknown";
    const findComplete = async () => {
      supersteps = await appliedSupersteps(thread, desired, server);
      return supersteps === "applied" ? [thread] : [];
    };
    await pollForCreated(findComplete, failure, ctx.clock);
    return { ...known, supersteps };
  },

  async use(known, attempt) {
    const thread = threadOf(known);
    warnOfUnproven(known.unprovenThreads, thread, attempt);
    warnOfOtherId(known, attempt);
    return { ...thread, metadata: withServerKeys(attempt.desired.metadata, thread.metadata) };
  },

  async rollBack({ created, failure }, attempt) {
    const thread = created as Thread;
    const message = async (outcome: string) => explainFailure(failure as HttpError, outcome, attempt);
    const removal = await removeThread(thread.threadId, attempt, attempt.ctx).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      return error;
    });
    if (removal === "gone") throw await message("Nothing was left behind.");
    const kept = `Thread ${thread.threadId} exists without all of its supersteps, because it could not be deleted, and is kept in state; the next \`pulumi up\` replaces it.`;
    recordPartial(thread, attempt);
    throw await message(kept);
  },

  async keepEmpty(known, attempt) {
    const thread = threadOf(known);
    recordPartial(thread, attempt);
    throw new UserError(
      `Thread ${thread.threadId} already exists at ${attempt.server.url} without any state: an interrupted run of this resource created it, and its supersteps were not applied. It is kept in state, and the next \`pulumi up\` replaces it.`,
    );
  },

  async resume(known, attempt) {
    const thread = threadOf(known);
    const note =
      known.supersteps === "some"
        ? ` It was not changed, but has fewer checkpoints than the declared supersteps: its server deleted old ones, or an earlier run ended before all were applied. To create it again with its initial state and lose its history, run:  pulumi up --replace '${attempt.ctx.urn}'`
        : " Its history is kept.";
    takeResumed(THREAD, thread.threadId, attempt, note);
    warnOfOtherId(known, attempt);
    return thread;
  },
} satisfies Record<Action, (known: Knowledge, attempt: Attempt) => Promise<Knowledge | Thread>>;

/** Whether the server says that it did not apply the supersteps. */
const isRefusal = (failure: HttpError): boolean =>
  failure instanceof UnappliedError || (failure.isRejection && !failure.isUnexpected && failure.status !== 409);

function warnOfOtherId(known: Knowledge, { desired, ctx }: Attempt): void {
  if (!known.hasOtherId || desired.threadId === undefined) return;
  ctx.log.warn(`threadId: the server assigned its own ID: ${threadOf(known).threadId}.`);
}

/** Keeps a thread in state without its supersteps, as the server does, so that the next run replaces it. */
function recordPartial(thread: Thread, { desired, ctx, ...endpoint }: Attempt): void {
  const inputs = { ...desired, supersteps: undefined };
  ctx.record({ id: thread.threadId, inputs, state: toState(thread, endpoint) });
}
