/**
 * Creating a thread so that a repeated create can never double: the ID is chosen here, and the server asked to do nothing
 * where it is taken. A server that chooses IDs by itself is noticed, and there the metadata prove what is ours.
 */
import { type Thread, UnappliedError } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { type CreateResult, PartialStateError } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { pollForCreated } from "../shared/idempotent-create";
import { sendWithRouteRetry } from "../shared/optional-route";
import { completeThread, toConfirmedInputs } from "./complete";
import type { AgentEndpoint } from "./endpoint";
import { type Inputs, REQUEST_KEY, type State } from "./fields";
import { formatIds, formatRemedies, warnOfLeftovers, warnOfUnproven } from "./leftovers";
import { toCreateRequest, toState } from "./mapping";
import {
  type Attempt,
  assertCreatedByResource,
  createAttempt,
  createTags,
  existedBefore,
  findCreated,
  findTagged,
  isProven,
  serverTimeOfStart,
} from "./ownership";
import { removeThread } from "./remove";

export async function createThread(
  desired: Inputs,
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<CreateResult<State>> {
  const attempt = createAttempt(desired, endpoint, ctx);
  const toResult = (thread: Thread) => ({ id: thread.threadId, state: toState(thread, endpoint) });
  try {
    const thread = await ensureThread(attempt);
    const confirmed = toConfirmedInputs(thread, desired);
    return { ...toResult(thread), confirmed, ready: () => completeCreate(thread, attempt) };
  } catch (error) {
    if (!(error instanceof IncompleteThreadError)) throw error;
    const { thread, message } = error;
    const { id, state } = toResult(thread);
    // State holds what the server does, so the next run sees that the supersteps are missing, and replaces it.
    const incompleteInputs = { ...desired, supersteps: undefined };
    return { id, state, ready: () => Promise.reject(new PartialStateError(message, incompleteInputs, state)) };
  }
}

async function completeCreate(thread: Thread, attempt: Attempt): Promise<State> {
  const state = await completeThread(thread, attempt);
  await warnOfLeftovers(thread, attempt);
  return state;
}

/** Supersteps could not be applied, and the thread without them could not be removed. */
class IncompleteThreadError extends UserError {
  constructor(
    message: string,
    readonly thread: Thread,
  ) {
    super(message);
  }
}

/** Returns the thread, created by this request or by an earlier one of this resource. */
async function ensureThread(attempt: Attempt, isRetry = false): Promise<Thread> {
  const { server, ctx, desired, id } = attempt;
  // A server of the interface alone chooses IDs, and what an interrupted run made there has another one.
  const choosesIds = (await server.awaitReadiness()) === "has no such route";
  const tagged = choosesIds ? await findTagged(attempt) : undefined;
  if (tagged?.proven) return resumeExisting(attempt, tagged.proven, isRetry);
  const startedAt = serverTimeOfStart(server, ctx);
  const { thread, hasResponse } = await postThread(attempt, choosesIds);
  if (thread.threadId === id || !hasResponse) {
    const isFromEarlierRun = existedBefore(thread, startedAt()) || !isUntaggedOrProven(thread, attempt);
    return isFromEarlierRun
      ? resumeExisting(attempt, thread, isRetry)
      : hasResponse
        ? thread
        : ensureComplete(attempt, thread, isRetry);
  }
  const kept = await resolveDuplicate(attempt, thread, tagged?.unproven);
  if (desired.threadId !== undefined) {
    ctx.log.warn(`threadId: the server assigned its own ID: ${kept.threadId}.`);
  }
  return kept;
}

/** Without ownership markers none can be missing; a thread of this request carries it. */
const isUntaggedOrProven = (thread: Thread, attempt: Attempt): boolean =>
  attempt.ownershipTag === undefined ||
  isProven(thread, attempt) ||
  thread.metadata?.[REQUEST_KEY] === attempt.requestId;

/** Returns the thread that exists after the one request, and whether its response showed it. */
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

/** Where the server chooses the ID, only a tag of the request identifies later what it created. */
const requestTagsOf = (attempt: Attempt, choosesIds: boolean): Record<string, string> => ({
  ...createTags(attempt, attempt.id),
  ...(choosesIds && attempt.ownershipTag !== undefined && { [REQUEST_KEY]: attempt.requestId }),
});

/** Threads that may be what a lost response was about, with what to do; nothing where there is none. */
async function describeCandidates(attempt: Attempt): Promise<string> {
  const { unproven } = await findTagged(attempt);
  if (unproven.length === 0) return "";
  return ` If it was created after all, it is one of these: ${formatIds(unproven)}.\n${formatRemedies(unproven, attempt.server.url)}`;
}

/** The server chose another ID: an interrupted run may have made a thread already, and then the new one is too many. */
async function resolveDuplicate(attempt: Attempt, thread: Thread, tagged?: readonly Thread[]): Promise<Thread> {
  const { server, ctx } = attempt;
  const { proven: existing, unproven } = tagged ? { proven: undefined, unproven: tagged } : await findTagged(attempt);
  if (!existing || existing.threadId === thread.threadId) {
    warnOfUnproven(unproven, thread, attempt);
    return thread;
  }
  if (await removeThread(thread.threadId, server, ctx)) return resumeExisting(attempt, existing, true);
  ctx.log.warn(
    `An interrupted run left thread ${existing.threadId} at ${server.url}, which has no way to delete it; this resource now has ${thread.threadId}.`,
  );
  return thread;
}

/** Continues with what an earlier run of this resource left, once it is proven to be ours and complete. */
async function resumeExisting(attempt: Attempt, thread: Thread, isRetry: boolean): Promise<Thread> {
  assertCreatedByResource(thread, attempt);
  const complete = await ensureComplete(attempt, thread, isRetry);
  if (complete === thread) {
    attempt.ctx.log.warn(
      `Resuming Thread ${thread.threadId}: it was at ${attempt.server.url} already, made by an earlier run of this resource, with the history that it has.`,
    );
  }
  return complete;
}

/** A thread that lacks some of its supersteps was interrupted, whatever the response was: it is created again. */
async function ensureComplete(attempt: Attempt, thread: Thread, isRetry: boolean): Promise<Thread> {
  const { server, desired } = attempt;
  const steps = Math.min(desired.supersteps?.length ?? 0, MAX_CHECKPOINTS);
  if (steps === 0 || (await server.countCheckpoints(thread.threadId, steps)) >= steps) return thread;
  if (!isRetry && (await removeThread(thread.threadId, server, attempt.ctx))) return ensureThread(attempt, true);
  throw new IncompleteThreadError(
    `Thread ${thread.threadId} is at ${server.url} already, without all of its supersteps, and this server has no way to delete it. It is kept in state: remove it there, or change supersteps or threadId.`,
    thread,
  );
}

/** The largest page of a history (interface-notes section 4). */
const MAX_CHECKPOINTS = 1000;

/** The supersteps could not be applied, and the thread may stand there without them. */
async function rollBackCreate(attempt: Attempt, error: UnappliedError): Promise<never> {
  const hint =
    "The server could not apply the supersteps: does metadata.graph_id name a graph of this server, and asNode a node of it?";
  const withOutcome = (outcome: string) => error.withHint(`${hint} ${outcome}`);
  let leftover: Thread | undefined;
  let isDeleted = false;
  try {
    [leftover] = await findCreated(attempt);
    isDeleted = leftover === undefined || (await removeThread(leftover.threadId, attempt.server, attempt.ctx));
  } catch (failure) {
    if (!(failure instanceof HttpError)) throw failure;
    if (!leftover)
      throw withOutcome(
        `Whether a thread was left there is not known (${failure.shortCode}); the next \`pulumi up\` looks.`,
      );
  }
  if (isDeleted || !leftover) throw withOutcome("Nothing was left there.");
  throw new IncompleteThreadError(
    withOutcome(
      `Thread ${leftover.threadId} was left there without them, and is kept in state: the next \`pulumi up\` replaces it.`,
    ).message,
    leftover,
  );
}
