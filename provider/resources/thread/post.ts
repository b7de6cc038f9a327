/** Sends the request that creates a thread, and finds the thread of a request that failed. */
import type { Thread } from "../../api/agent-server/client";
import { HttpError } from "../../http/errors";
import { pollForCreated } from "../../objects/lost-response";
import { formatIds, formatRemedies } from "../../objects/messages";
import { sendWithRouteRetry } from "../../objects/optional-route";
import { explainFailure } from "./errors";
import { REQUEST_KEY, THREAD } from "./fields";
import { idsOf } from "./leftovers";
import { toCreateRequest } from "./mapping";
import { type Attempt, createTags, findCreated, findTagged } from "./ownership";

/** The thread, and why the response did not contain it. */
interface Result {
  thread: Thread;
  failure?: HttpError;
}

/** Sends the create request once. @throws HttpError when it failed, and the server has no such thread. */
export async function requestThread(attempt: Attempt): Promise<Result> {
  const { server, desired, ctx, ownershipTag, requestId } = attempt;
  const tags = ownershipTag === undefined ? {} : { ...createTags(attempt, attempt.id), [REQUEST_KEY]: requestId };
  const body = toCreateRequest(desired, attempt.id, tags);
  let isAbsent = false;
  const send = async (): Promise<Result> => {
    isAbsent = false;
    try {
      const thread = await server.createThread(body);
      return { thread: thread.metadata ? thread : ((await server.lookUpThread(thread.threadId)) ?? thread) };
    } catch (failure) {
      if (!(failure instanceof HttpError) || !mayLeaveThread(failure, attempt)) throw failure;
      const [thread] = await pollForCreated(() => findCreated(attempt), failure, ctx.clock);
      if (thread) return { thread, failure };
      isAbsent = true;
      throw failure;
    }
  };
  try {
    return await sendWithRouteRetry(send, ctx.clock);
  } catch (failure) {
    throw isAbsent && failure instanceof HttpError ? await describeAbsence(failure, attempt) : failure;
  }
}

/** Whether a server may have created the thread: without supersteps, a rejection creates none (API `2B.Superstep:failure`). */
const mayLeaveThread = (failure: HttpError, { desired }: Attempt): boolean =>
  failure.outcomeUnknown || failure.status === 409 || (desired.supersteps !== undefined && failure.isRejection);

/** Returns the error of a create that left no thread. */
async function describeAbsence(failure: HttpError, attempt: Attempt): Promise<Error> {
  if (failure.isUnsupportedRoute) return failure;
  if (failure.status !== undefined && failure.status !== 409 && failure.isRejection)
    return explainFailure(failure, "Nothing was left behind.", attempt);
  return failure.withHint(
    `The server has no such thread, so it was probably not created. Run \`pulumi up\` again.${await describeCandidates(attempt)}`,
  );
}

/** Lists the threads that a request with a lost response may have created, with what to do; empty when none exists. */
async function describeCandidates(attempt: Attempt): Promise<string> {
  const { unprovenThreads } = await findTagged(attempt);
  if (unprovenThreads.length === 0) return "";
  const ids = idsOf(unprovenThreads);
  return ` If it was created after all, it is one of these: ${formatIds(ids)}.\n${formatRemedies(THREAD, ids, attempt)}`;
}
