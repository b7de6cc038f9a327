/**
 * Creating a thread so that a repeated create can never double: the id is chosen here, and the server asked to do nothing
 * where it is taken. A server that chooses ids by itself is noticed, and there the mark in the metadata tells.
 */
import { type Thread, UnappliedError } from "../../api/agent-server";
import { type Context, HeldError, type Made } from "../../definition";
import { PlainError, RequestError } from "../../http/errors";
import { patiently } from "../../once";
import type { Inputs, State } from "./fields";
import type { Place } from "./place";
import { CHANGEABLE, CHANGES } from "./preview";
import {
  type Attempt,
  assertOurs,
  attemptOf,
  carries,
  marked,
  removed,
  standing,
  startOf,
  wasThereBefore,
} from "./recognise";
import { changeBody, createBody, toInputs, toState } from "./server-side";

export async function createThread(wanted: Inputs, place: Place, ctx: Context): Promise<Made<State>> {
  const made = (thread: Thread): Made<State> => ({ id: thread.threadId, state: toState(thread, place) });
  try {
    const thread = await stand(attemptOf(wanted, place, ctx));
    const change = changeBody(toInputs(thread, wanted), wanted);
    if (!change) return made(thread);
    // An interrupted run made it, and since then other metadata was declared.
    const changed = await place.server.updateThread(thread.threadId, change).catch(withoutRoute);
    if (changed) return made(changed);
    const another = await stand(attemptOf(wanted, place, ctx, CHANGEABLE));
    return { ...made(another), missingRoutes: [CHANGES] };
  } catch (error) {
    if (!(error instanceof HalfMadeError)) throw error;
    const { thread, message } = error;
    const { id, state } = made(thread);
    // State holds what the server does, so the next run sees that the supersteps are missing, and replaces it.
    const held = { ...wanted, supersteps: undefined };
    return { id, state, ready: () => Promise.reject(new HeldError(message, held, state)) };
  }
}

/** Supersteps could not be applied, and the thread without them could not be removed. */
class HalfMadeError extends PlainError {
  constructor(
    message: string,
    readonly thread: Thread,
  ) {
    super(message);
  }
}

/** The thread, made by this request or by an earlier one of this very resource. */
async function stand(attempt: Attempt, isAgain = false): Promise<Thread> {
  const { server, ctx, wanted, id } = attempt;
  // A server of the interface alone chooses ids, and what an interrupted run made there has another one.
  const isSmall = (await server.serves()) === "has no such route";
  const [earlier] = isSmall ? await marked(attempt) : [];
  if (earlier) return adopt(attempt, earlier, isAgain);
  const startedAt = startOf(server, ctx);
  const { thread, answered } = await posted(attempt);
  if (thread.threadId === id || !answered) {
    const isOld = wasThereBefore(thread, startedAt()) || !carries(thread, attempt);
    return isOld ? adopt(attempt, thread, isAgain) : answered ? thread : whole(attempt, thread, isAgain);
  }
  const kept = isSmall ? thread : await onlyOne(attempt, thread);
  if (wanted.threadId !== undefined) {
    ctx.warn(`threadId: this server chooses ids by itself, so the thread has the id ${kept.threadId}.`);
  }
  return kept;
}

/** What stands there after the one request, and whether its answer said so. */
async function posted(attempt: Attempt): Promise<{ thread: Thread; answered: boolean }> {
  const { server, wanted, id, mark, ctx } = attempt;
  try {
    return { thread: await server.createThread(createBody(wanted, id, mark)), answered: true };
  } catch (error) {
    if (error instanceof UnappliedError) return undo(attempt, error);
    if (!(error instanceof RequestError) || !(error.mayHaveActed || error.status === 409)) throw error;
    const [thread] = await patiently(() => standing(attempt), error, ctx.clock);
    if (thread) return { thread, answered: false };
    throw error.advised("No such thread is there, so it was not created as far as can be seen. Run `pulumi up` again.");
  }
}

/** The server chose another id: an interrupted run may have made a thread already, and then the new one is too many. */
async function onlyOne(attempt: Attempt, thread: Thread): Promise<Thread> {
  const { server, ctx } = attempt;
  const earlier = (await marked(attempt)).find(({ threadId }) => threadId !== thread.threadId);
  if (!earlier) return thread;
  if (await removed(thread.threadId, server)) return adopt(attempt, earlier, true);
  ctx.warn(
    `An interrupted run left thread ${earlier.threadId} at ${server.url}, which has no way to delete it; this resource now has ${thread.threadId}.`,
  );
  return thread;
}

/** Goes on with what an earlier run of this very resource left, once it is sure to be ours and whole. */
async function adopt(attempt: Attempt, thread: Thread, isAgain: boolean): Promise<Thread> {
  assertOurs(thread, attempt);
  const standing = await whole(attempt, thread, isAgain);
  if (standing === thread) {
    attempt.ctx.warn(
      `Resuming Thread ${thread.threadId}: it was at ${attempt.server.url} already, made by an earlier run of this resource, with the history that it has.`,
    );
  }
  return standing;
}

/** A thread without all of its supersteps was cut short, whatever was answered then: it is made anew. */
async function whole(attempt: Attempt, thread: Thread, isAgain: boolean): Promise<Thread> {
  const { server, wanted } = attempt;
  const steps = Math.min(wanted.supersteps?.length ?? 0, MOST_CHECKPOINTS);
  if (steps === 0 || (await server.countCheckpoints(thread.threadId, steps)) >= steps) return thread;
  if (!isAgain && (await removed(thread.threadId, server))) return stand(attempt, true);
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
  const said = (what: string) => error.advised(`${advice} ${what}`);
  let left: Thread | undefined;
  let isGone = false;
  try {
    [left] = await standing(attempt);
    isGone = left === undefined || (await removed(left.threadId, attempt.server));
  } catch (trouble) {
    if (!(trouble instanceof RequestError)) throw trouble;
    if (!left)
      throw said(`Whether a thread was left there is not known (${trouble.brief}); the next \`pulumi up\` looks.`);
  }
  if (isGone || !left) throw said("Nothing was left there.");
  throw new HalfMadeError(
    said(
      `Thread ${left.threadId} was left there without them, and is kept in state: the next \`pulumi up\` replaces it.`,
    ).message,
    left,
  );
}

/** Undefined where the server has no such route. */
export function withoutRoute(error: unknown): undefined {
  if (error instanceof RequestError && error.maybeMissingRoute) return undefined;
  throw error;
}
