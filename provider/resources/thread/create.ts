/**
 * Creates a thread exactly once: the client chooses the ID, and the server does nothing when the ID is taken. On servers
 * that assign their own IDs, the metadata show which thread this resource created.
 */
import { type Thread, UnappliedError } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import type { Observation } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { pollForCreated } from "../shared/idempotent-create";
import { sendWithRouteRetry } from "../shared/optional-route";
import { completeThread } from "./complete";
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
): Promise<Observation<Inputs, State>> {
  const attempt = createAttempt(desired, endpoint, ctx);
  try {
    const thread = await ensureThread(attempt);
    const complete = await completeThread(thread, attempt);
    await warnOfLeftovers(thread, attempt);
    return complete;
  } catch (error) {
    if (!(error instanceof IncompleteThreadError)) throw error;
    // State omits the supersteps, as the server does, so that the next run replaces the thread.
    const inputs = { ...desired, supersteps: undefined };
    ctx.record({ id: error.thread.threadId, inputs, state: toState(error.thread, endpoint) });
    throw error;
  }
}

/** The supersteps could not be applied, and the thread without them could not be deleted. */
class IncompleteThreadError extends UserError {
  constructor(
    message: string,
    readonly thread: Thread,
  ) {
    super(message);
  }
}

/** Returns the thread, created now or by an earlier run of this resource. */
async function ensureThread(attempt: Attempt, isRetry = false): Promise<Thread> {
  const { server, ctx, desired, id } = attempt;
  // A server without that route assigns its own IDs, so a thread of an interrupted run has another ID.
  const choosesIds = (await server.checkReadiness()) === "unsupported";
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
  const resolved = await resolveDuplicate(attempt, thread, tagged?.unproven);
  if (desired.threadId !== undefined) {
    ctx.log.warn(`threadId: the server assigned its own ID: ${resolved.threadId}.`);
  }
  return resolved;
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
  const { unproven } = await findTagged(attempt);
  if (unproven.length === 0) return "";
  return ` If it was created after all, it is one of these: ${formatIds(unproven)}.\n${formatRemedies(unproven, attempt)}`;
}

/** Removes the new thread when an interrupted run had already created one on a server that assigns its own IDs. */
async function resolveDuplicate(attempt: Attempt, thread: Thread, tagged?: readonly Thread[]): Promise<Thread> {
  const { server, ctx } = attempt;
  const { proven: existing, unproven } = tagged ? { proven: undefined, unproven: tagged } : await findTagged(attempt);
  if (!existing || existing.threadId === thread.threadId) {
    warnOfUnproven(unproven, thread, attempt);
    return thread;
  }
  if ((await removeThread(thread.threadId, attempt, ctx)) === "gone") return resumeExisting(attempt, existing, true);
  ctx.log.warn(
    `An interrupted run left thread ${existing.threadId} at ${server.url}, which does not support deletion. This resource now manages ${thread.threadId}.`,
  );
  return thread;
}

/** Continues with the thread of an earlier run, after verifying that this resource created it and that it is complete. */
async function resumeExisting(attempt: Attempt, thread: Thread, isRetry: boolean): Promise<Thread> {
  assertCreatedByResource(thread, attempt);
  const complete = await ensureComplete(attempt, thread, isRetry);
  if (complete === thread) {
    attempt.ctx.take(thread.threadId, "resumed");
    attempt.ctx.log.warn(
      `Resuming thread ${thread.threadId} at ${attempt.server.url}: an earlier run of this resource created it. Its history is kept.${attempt.ctx.ownerHint}`,
    );
  }
  return complete;
}

/** Recreates a thread whose create was interrupted before all supersteps were applied. */
async function ensureComplete(attempt: Attempt, thread: Thread, isRetry: boolean): Promise<Thread> {
  const { server, desired } = attempt;
  const steps = Math.min(desired.supersteps?.length ?? 0, MAX_CHECKPOINTS);
  if (steps === 0 || (await server.countCheckpoints(thread.threadId, steps)) >= steps) return thread;
  if (!isRetry && (await removeThread(thread.threadId, attempt, attempt.ctx)) === "gone")
    return ensureThread(attempt, true);
  throw new IncompleteThreadError(
    `Thread ${thread.threadId} already exists at ${server.url} without all of its supersteps, and this server does not support deletion. It is kept in state. Delete it manually, or change supersteps or threadId.`,
    thread,
  );
}

/** The largest page of a history (interface-notes section 4). */
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
  throw new IncompleteThreadError(
    withOutcome(
      `Thread ${leftover.threadId} exists without them and is kept in state; the next \`pulumi up\` replaces it.`,
    ).message,
    leftover,
  );
}
