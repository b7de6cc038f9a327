/**
 * Creating a thread so that a repeated create can never double: the ID is chosen here, and the server asked to do nothing
 * where it is taken. A server that chooses IDs by itself is noticed, and there the metadata prove what is ours.
 */
import { type Thread, UnappliedError } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { type CreateResult, PartialStateError } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { patiently } from "../shared/idempotent-create";
import { sendRouted } from "../shared/optional-route";
import { complete, confirmedOf } from "./complete";
import type { Place } from "./endpoint";
import { type Inputs, REQUEST, type State } from "./fields";
import { idsOf, remediesFor, warnOfLeftovers, warnOfUnproven } from "./leftovers";
import { createBody, toState } from "./mapping";
import {
  type Attempt,
  assertOurs,
  attemptOf,
  findMade,
  findMarked,
  isProven,
  startOf,
  tagsOf,
  wasThereBefore,
} from "./ownership";
import { removed } from "./remove";

export async function createThread(wanted: Inputs, place: Place, ctx: Context): Promise<CreateResult<State>> {
  const attempt = attemptOf(wanted, place, ctx);
  const made = (thread: Thread) => ({ id: thread.threadId, state: toState(thread, place) });
  try {
    const thread = await stand(attempt);
    const confirmed = confirmedOf(thread, wanted);
    return { ...made(thread), confirmed, ready: () => completeCreate(thread, attempt) };
  } catch (error) {
    if (!(error instanceof HalfMadeError)) throw error;
    const { thread, message } = error;
    const { id, state } = made(thread);
    // State holds what the server does, so the next run sees that the supersteps are missing, and replaces it.
    const held = { ...wanted, supersteps: undefined };
    return { id, state, ready: () => Promise.reject(new PartialStateError(message, held, state)) };
  }
}

async function completeCreate(thread: Thread, attempt: Attempt): Promise<State> {
  const state = await complete(thread, attempt);
  await warnOfLeftovers(thread, attempt);
  return state;
}

/** Supersteps could not be applied, and the thread without them could not be removed. */
class HalfMadeError extends UserError {
  constructor(
    message: string,
    readonly thread: Thread,
  ) {
    super(message);
  }
}

/** Returns the thread, created by this request or by an earlier one of this resource. */
async function stand(attempt: Attempt, isAgain = false): Promise<Thread> {
  const { server, ctx, wanted, id } = attempt;
  // A server of the interface alone chooses IDs, and what an interrupted run made there has another one.
  const choosesIds = (await server.awaitReadiness()) === "has no such route";
  const before = choosesIds ? await findMarked(attempt) : undefined;
  if (before?.own) return adopt(attempt, before.own, isAgain);
  const startedAt = startOf(server, ctx);
  const { thread, answered } = await posted(attempt, choosesIds);
  if (thread.threadId === id || !answered) {
    const isOld = wasThereBefore(thread, startedAt()) || !isUnmarkedOrProven(thread, attempt);
    return isOld ? adopt(attempt, thread, isAgain) : answered ? thread : whole(attempt, thread, isAgain);
  }
  const kept = await onlyOne(attempt, thread, before?.unproven);
  if (wanted.threadId !== undefined) {
    ctx.log.warn(`threadId: the server assigned its own ID: ${kept.threadId}.`);
  }
  return kept;
}

/** Without ownership markers none can be missing; a thread of this request carries it. */
const isUnmarkedOrProven = (thread: Thread, attempt: Attempt): boolean =>
  attempt.mark === undefined || isProven(thread, attempt) || thread.metadata?.[REQUEST] === attempt.request;

/** Returns the thread that exists after the one request, and whether its response showed it. */
async function posted(attempt: Attempt, choosesIds: boolean): Promise<{ thread: Thread; answered: boolean }> {
  const { server, wanted, ctx } = attempt;
  try {
    const body = createBody(wanted, attempt.id, requestTagsOf(attempt, choosesIds));
    return { thread: await sendRouted(() => server.createThread(body), ctx.clock), answered: true };
  } catch (error) {
    if (error instanceof UnappliedError) return undo(attempt, error);
    if (!(error instanceof HttpError) || !(error.outcomeUnknown || error.status === 409)) throw error;
    const [thread] = await patiently(() => findMade(attempt), error, ctx.clock);
    if (thread) return { thread, answered: false };
    throw error.withHint(
      `The server has no such thread, so it was probably not created. Run \`pulumi up\` again.${await suspects(attempt)}`,
    );
  }
}

/** Where the server chooses the ID, only a tag of the request identifies later what it created. */
const requestTagsOf = (attempt: Attempt, choosesIds: boolean): Record<string, string> => ({
  ...tagsOf(attempt, attempt.id),
  ...(choosesIds && attempt.mark !== undefined && { [REQUEST]: attempt.request }),
});

/** Threads that may be what a lost response was about, with what to do; nothing where there is none. */
async function suspects(attempt: Attempt): Promise<string> {
  const { unproven } = await findMarked(attempt);
  if (unproven.length === 0) return "";
  return ` If it was created after all, it is one of these: ${idsOf(unproven)}.\n${remediesFor(unproven, attempt.server.url)}`;
}

/** The server chose another ID: an interrupted run may have made a thread already, and then the new one is too many. */
async function onlyOne(attempt: Attempt, thread: Thread, before?: readonly Thread[]): Promise<Thread> {
  const { server, ctx } = attempt;
  const { own: earlier, unproven } = before ? { own: undefined, unproven: before } : await findMarked(attempt);
  if (!earlier || earlier.threadId === thread.threadId) {
    warnOfUnproven(unproven, thread, attempt);
    return thread;
  }
  if (await removed(thread.threadId, server, ctx)) return adopt(attempt, earlier, true);
  ctx.log.warn(
    `An interrupted run left thread ${earlier.threadId} at ${server.url}, which has no way to delete it; this resource now has ${thread.threadId}.`,
  );
  return thread;
}

/** Continues with what an earlier run of this resource left, once it is proven to be ours and complete. */
async function adopt(attempt: Attempt, thread: Thread, isAgain: boolean): Promise<Thread> {
  assertOurs(thread, attempt);
  const standing = await whole(attempt, thread, isAgain);
  if (standing === thread) {
    attempt.ctx.log.warn(
      `Resuming Thread ${thread.threadId}: it was at ${attempt.server.url} already, made by an earlier run of this resource, with the history that it has.`,
    );
  }
  return standing;
}

/** A thread that lacks some of its supersteps was interrupted, whatever the response was: it is created again. */
async function whole(attempt: Attempt, thread: Thread, isAgain: boolean): Promise<Thread> {
  const { server, wanted } = attempt;
  const steps = Math.min(wanted.supersteps?.length ?? 0, MOST_CHECKPOINTS);
  if (steps === 0 || (await server.countCheckpoints(thread.threadId, steps)) >= steps) return thread;
  if (!isAgain && (await removed(thread.threadId, server, attempt.ctx))) return stand(attempt, true);
  throw new HalfMadeError(
    `Thread ${thread.threadId} is at ${server.url} already, without all of its supersteps, and this server has no way to delete it. It is kept in state: remove it there, or change supersteps or threadId.`,
    thread,
  );
}

/** The largest page of a history (interface-notes section 4). */
const MOST_CHECKPOINTS = 1000;

/** The supersteps could not be applied, and the thread may stand there without them. */
async function undo(attempt: Attempt, error: UnappliedError): Promise<never> {
  const advice =
    "The server could not apply the supersteps: does metadata.graph_id name a graph of this server, and asNode a node of it?";
  const said = (what: string) => error.withHint(`${advice} ${what}`);
  let left: Thread | undefined;
  let isGone = false;
  try {
    [left] = await findMade(attempt);
    isGone = left === undefined || (await removed(left.threadId, attempt.server, attempt.ctx));
  } catch (trouble) {
    if (!(trouble instanceof HttpError)) throw trouble;
    if (!left)
      throw said(`Whether a thread was left there is not known (${trouble.shortCode}); the next \`pulumi up\` looks.`);
  }
  if (isGone || !left) throw said("Nothing was left there.");
  throw new HalfMadeError(
    said(
      `Thread ${left.threadId} was left there without them, and is kept in state: the next \`pulumi up\` replaces it.`,
    ).message,
    left,
  );
}
