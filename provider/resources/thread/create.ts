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
import { type Attempt, assertOurs, attemptOf, marked, removed, standing, startOf, wasThereBefore } from "./recognise";
import { changeBody, createBody, toInputs, toState } from "./server-side";

export async function createThread(wanted: Inputs, place: Place, ctx: Context): Promise<Made<State>> {
  const made = (thread: Thread): Made<State> => ({ id: thread.threadId, state: toState(thread, place) });
  try {
    const { thread, isNew } = await stand(attemptOf(wanted, place, ctx));
    const change = isNew ? undefined : changeBody(toInputs(thread, wanted), wanted);
    if (!change) return made(thread);
    // An interrupted run made it, and since then other metadata was declared.
    const changed = await place.server.updateThread(thread.threadId, change).catch(withoutRoute);
    if (changed) return made(changed);
    const another = await stand(attemptOf(wanted, place, ctx, [...CHANGEABLE]));
    return { ...made(another.thread), missingRoutes: [CHANGES] };
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

interface Standing {
  thread: Thread;
  /** Whether this very request made it. */
  isNew: boolean;
}

async function stand(attempt: Attempt, isAgain = false): Promise<Standing> {
  const { server, ctx, wanted, id, mark } = attempt;
  // A server of the interface alone chooses ids, and what an interrupted run made there has another one.
  const isSmall = (await server.serves()) === "has no such route";
  const [earlier] = isSmall ? await marked(attempt) : [];
  if (earlier) return adopt(attempt, earlier, isAgain);
  const startedAt = startOf(server, ctx);
  let thread: Thread;
  try {
    thread = await server.createThread(createBody(wanted, id, mark));
  } catch (error) {
    if (error instanceof UnappliedError) return undo(attempt, error);
    if (!(error instanceof RequestError) || !(error.mayHaveActed || error.status === 409)) throw error;
    const [found] = await patiently(() => standing(attempt), error, ctx.clock);
    if (!found)
      throw error.advised(
        "No such thread is there, so it was not created as far as can be seen. Run `pulumi up` again.",
      );
    if (error.status === 409 || wasThereBefore(found, startedAt())) return adopt(attempt, found, isAgain);
    return whole(attempt, found, isAgain);
  }
  if (thread.threadId === id) {
    return wasThereBefore(thread, startedAt()) ? adopt(attempt, thread, isAgain) : { thread, isNew: true };
  }
  return isSmall ? { thread, isNew: true } : chosen(attempt, thread);
}

/** The server chose another id: an interrupted run may have made one already, and then this one is too many. */
async function chosen(attempt: Attempt, thread: Thread): Promise<Standing> {
  const { server, wanted, ctx } = attempt;
  const earlier = (await marked(attempt)).find(({ threadId }) => threadId !== thread.threadId);
  if (earlier) {
    if (await removed(thread.threadId, server)) return adopt(attempt, earlier, true);
    ctx.warn(
      `An interrupted run left thread ${earlier.threadId} at ${server.url}, which has no way to delete it; this resource now has ${thread.threadId}.`,
    );
  }
  if (wanted.threadId !== undefined) {
    ctx.warn(`threadId: this server chooses ids by itself, so the thread has the id ${thread.threadId}.`);
  }
  return { thread, isNew: true };
}

/** Goes on with what an interrupted run of this very resource left, once it is sure to be ours and whole. */
async function adopt(attempt: Attempt, thread: Thread, isAgain: boolean): Promise<Standing> {
  assertOurs(thread, attempt);
  const standing = await whole(attempt, thread, isAgain);
  if (standing.thread === thread) {
    attempt.ctx.warn(
      `Resuming Thread ${thread.threadId}: it was at ${attempt.server.url} already, made by an earlier run of this resource, with the history that it has.`,
    );
  }
  return standing;
}

/** A thread without all of its supersteps was cut short, whatever was answered then: it is made anew. */
async function whole(attempt: Attempt, thread: Thread, isAgain: boolean): Promise<Standing> {
  const { server, wanted } = attempt;
  const steps = Math.min(wanted.supersteps?.length ?? 0, MOST_CHECKPOINTS);
  if (steps === 0 || (await server.countCheckpoints(thread.threadId, steps)) >= steps) return { thread, isNew: false };
  const what = `Thread ${thread.threadId} is at ${server.url} already, without all of its supersteps`;
  if (isAgain || !(await removed(thread.threadId, server))) {
    throw new HalfMadeError(
      `${what}, and this server has no way to delete it. Remove it there, or change the supersteps or threadId.`,
      thread,
    );
  }
  return stand(attempt, true);
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
