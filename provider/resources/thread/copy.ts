/** Copies a thread. The server chooses the ID, and only its response shows which one. */
import type { Thread } from "../../api/agent-server/client";
import { OwnershipError } from "../../definition/ownership";
import type { Observation } from "../../definition/results";
import { HttpError, ignoreHttpError } from "../../http/errors";
import { existedBefore, serverTimeOfStart } from "../../objects/creation-time";
import { CreatesOfRun, pollForCreated } from "../../objects/lost-response";
import { formatIds, formatRemedies } from "../../objects/messages";
import { sendOptional } from "../../objects/optional-route";
import { UserError } from "../../text/user-error";
import { type Inputs, type State, THREAD } from "./fields";
import { findSimilarCopies, idsOf, isNewCopy, warnOfLeftovers } from "./leftovers";
import { type Attempt, findTagged } from "./ownership";
import { completeThread } from "./requests";

export async function copyThread(attempt: Attempt): Promise<Observation<Inputs, State>> {
  const { server, desired, ctx } = attempt;
  const { provenThread: existing } = await findTagged(attempt);
  if (existing) {
    ctx.take(existing.threadId, "resumed");
    ctx.log.warn(
      `Resuming thread ${existing.threadId}: an earlier run of this resource created this copy.${ctx.ownerHint}`,
    );
  }
  const creates = ctx.scope.get(CreatesOfRun);
  // One at a time: otherwise another copy could be mistaken for the one whose response was lost.
  const thread = existing ?? (await creates.serialize(`${server.url} ${desired.copyFrom}`, () => requestCopy(attempt)));
  // Keeps the other copies of this run from reporting it as left behind.
  creates.createdIds.add(thread.threadId);
  return completeCopy(thread, attempt);
}

/** Applies the declared metadata and the ownership marker to a copy, which starts with the metadata of its source. */
export async function completeCopy(
  thread: Thread,
  attempt: Attempt,
  previous?: Partial<Inputs & State>,
): Promise<Observation<Inputs, State>> {
  try {
    return await completeThread(thread, attempt, previous);
  } finally {
    await warnOfLeftovers(thread, attempt);
  }
}

async function requestCopy(attempt: Attempt): Promise<Thread> {
  const { server, desired, ctx } = attempt;
  const { copyFrom: source = "" } = desired;
  const startedAt = serverTimeOfStart(server, ctx);
  const exists = async () => (await server.findThread(source)) !== undefined;
  try {
    const result = await sendOptional({
      send: () => server.copyThread(source),
      exists,
      clock: ctx.clock,
      route: "POST copy",
      support: server.routes,
    });
    if ("response" in result) {
      const { response } = result;
      if (response.threadId.toLowerCase() !== source.toLowerCase() && !existedBefore(response, startedAt()))
        return response;
      throw toForeignCopyError(response, attempt);
    }
    throw "gone" in result ? toSourceMissingError(result.gone, source, server.url) : result.missing;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // Servers return 409 when the source does not exist (API `4B.POST /threads/{thread_id}/copy:unknown`).
    if (error.status === 409 && !(await exists())) throw toSourceMissingError(error, source, server.url);
    if (!error.outcomeUnknown) throw error;
    const listCopies = () => findCandidates(source, startedAt, attempt);
    const candidates = await pollForCreated(listCopies, error, ctx.clock, NEXT_UP_HINT);
    throw toLostResponseError(error, candidates, attempt);
  }
}

/** Returns the threads created since that resemble the source; all of them if the source cannot be read. */
async function findCandidates(source: string, since: () => number, { server, ctx }: Attempt): Promise<Thread[]> {
  const model = await server.getThread(source).catch(ignoreHttpError);
  const startedAt = since();
  if (model) return findSimilarCopies(model, source, startedAt, { server, ctx });
  const threads = await server.searchThreads({}, 100);
  return threads.filter((thread) => thread.threadId !== source && isNewCopy(thread, startedAt, ctx));
}

/** Nothing on a copy shows who requested it, so the next run can only warn about it. */
const NEXT_UP_HINT =
  "Run `pulumi up` again: it creates another copy, and warns about this one if it can recognize it as a copy.";

const toForeignCopyError = ({ threadId: id }: Thread, attempt: Attempt) =>
  new OwnershipError(
    `The response to the copy request contains thread ${id} at ${attempt.server.url}, which existed before, so it is not a new copy and may belong to someone else. It was not changed.`,
  );

const toSourceMissingError = ({ status, detail }: HttpError, source: string, url: string) =>
  new UserError(
    `copyFrom: no thread with ID ${source} exists at ${url} (${status}: ${detail}). Nothing was created. Use the ID of a thread on the same agent server.`,
  );

/** Returns the error of a copy whose response was lost. Any copy found may belong to someone else, so none is adopted. */
function toLostResponseError(error: HttpError, copies: readonly Thread[], attempt: Attempt): HttpError {
  const { copyFrom: source } = attempt.desired;
  if (copies.length === 0)
    return error.withHint(
      `The server has no new copy of ${source}, so it was probably not created. Run \`pulumi up\` again. If a copy appears later, no resource refers to it, and you can delete it.`,
    );
  const ids = idsOf(copies);
  return error.withHint(
    `Could not determine whether the copy was created. These threads, which may be copies of ${source}, were created since, and nothing shows who requested them: ${formatIds(ids)}. If none is yours, run \`pulumi up\` again to create another one.\n${formatRemedies(THREAD, ids, attempt)}`,
  );
}
