/** Copies a thread. The server chooses the ID, and only its response shows which one. */
import type { Thread } from "../../api/agent-server/threads";
import type { Context, Observation } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { HttpError, ignoreHttpError } from "../../http/errors";
import type { Found } from "../../objects/kind";
import { formatIds, formatRemedies, searchLeftovers } from "../../objects/messages";
import { toCanonicalJson } from "../../objects/metadata/metadata";
import { hasMarkers, isCopy, isProven } from "../../objects/ownership";
import { CreatesOfRun, existedBefore, pollForCreated, serverTimeOfStart } from "../../objects/server/lost-response";
import { isEmpty } from "../../schema/mapping";
import { parseServerTimestamp } from "../../schema/timestamp";
import { UserError } from "../../text/user-error";
import { findTagged } from "./create";
import { type Attempt, type Inputs, OWNERSHIP_KEY, RESOURCE_KEY, type State, THREAD } from "./fields";
import { completeThread } from "./requests";

/** Returns the copy that an earlier run of this resource created: a copy without its marker may belong to anyone. */
export async function findCopy(attempt: Attempt): Promise<Found<Thread>> {
  const { own } = await findTagged(attempt);
  return { own, foreign: [], unproven: [] };
}

/** Requests one copy at a time: otherwise another one could be mistaken for that whose response was lost. */
export function requestCopy(attempt: Attempt): Promise<Thread> {
  const { server, desired, ctx } = attempt;
  return ctx.scope.get(CreatesOfRun).serialize(`${server.url} ${desired.copyFrom}`, () => sendCopy(attempt));
}

/** Applies the declared metadata and the ownership marker to a copy, which starts with the metadata of its source. */
export async function completeCopy(
  thread: Thread,
  attempt: Attempt,
  inState?: Parameters<typeof completeThread>[2],
): Promise<Observation<Inputs, State>> {
  // Keeps the other copies of this run from reporting it as left behind.
  attempt.ctx.scope.get(CreatesOfRun).createdIds.add(thread.threadId);
  try {
    return await completeThread(thread, attempt, inState);
  } finally {
    await searchLeftovers(THREAD, attempt, () => warnOfCopies(thread, attempt));
  }
}

async function sendCopy(attempt: Attempt): Promise<Thread> {
  const { server, desired, ctx } = attempt;
  const { copyFrom: source = "" } = desired;
  const startedAt = serverTimeOfStart(server, ctx);
  try {
    return await server.threads.copy(source);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // Servers return 409 when the source does not exist (API `4B.POST /threads/{thread_id}/copy:unknown`).
    if ((error.isUnsupportedRoute || error.status === 409) && !(await server.threads.find(source)))
      throw toSourceMissingError(error, source, server.url);
    if (!error.outcomeUnknown) throw error;
    const listCopies = () => findCandidates(source, startedAt, attempt);
    const candidates = await pollForCreated(listCopies, error, ctx.clock, NEXT_UP_HINT);
    throw toLostResponseError(error, candidates, attempt);
  }
}

async function findCandidates(source: string, since: () => number, { server, ctx }: Attempt): Promise<Thread[]> {
  const model = await server.threads.get(source).catch(ignoreHttpError);
  const startedAt = since();
  if (model) return findSimilarCopies(model, source, startedAt, { server, ctx });
  const threads = await server.threads.searchByMetadata({}, 100);
  return threads.filter((thread) => thread.threadId !== source && isNewCopy(thread, startedAt, ctx));
}

/** Nothing on a copy shows who requested it, so the next run can only warn about it. */
const NEXT_UP_HINT =
  "Run `pulumi up` again: it creates another copy, and warns about this one if it can recognize it as a copy.";

export const toForeignCopyError = (threads: readonly Thread[], attempt: Attempt) =>
  new OwnershipError(
    `The response to the copy request contains thread ${formatIds(idsOf(threads))} at ` +
      `${attempt.server.url}, which existed before, so it is not a new copy and may belong to someone ` +
      "else. It was not changed. Run `pulumi up` again. If it fails again, ask the operators of the " +
      "server: a proxy may repeat responses.",
  );

const toSourceMissingError = ({ status, detail }: HttpError, source: string, url: string) =>
  new UserError(
    `copyFrom: no thread with ID ${source} exists at ${url} (${status}: ${detail}). Nothing was created. Use ` +
      "the ID of a thread on the same agent server.",
  );

/** Returns the error of a copy whose response was lost. Any copy may be someone else's, so none is adopted. */
function toLostResponseError(error: HttpError, copies: readonly Thread[], attempt: Attempt): HttpError {
  const { copyFrom: source } = attempt.desired;
  if (copies.length === 0)
    return error.withHint(
      `The server has no new copy of ${source}, so it was probably not created. Run \`pulumi up\` again. If a ` +
        "copy appears later, no resource refers to it, and you can delete it.",
    );
  const ids = idsOf(copies);
  return error.withHint(
    `Could not determine whether the copy was created. These threads, which may be copies of ${source}, were ` +
      `created since, and nothing shows who requested them: ${formatIds(ids)}. If none is yours, run \`pulumi ` +
      `up\` again to create another one.\n${formatRemedies(THREAD, ids, attempt)}`,
  );
}

const idsOf = (threads: readonly Thread[]): string[] => threads.map(({ threadId }) => threadId);

/**
 * Returns the threads that were created since a time and resemble the source, as its copies do until they are tagged.
 * @param since Milliseconds, by the server's clock.
 * @param tag The metadata key that they share if the source has it: its marker, or that of the resource, which stays
 * the same when the source is replaced.
 */
async function findSimilarCopies(
  { metadata }: Thread,
  source: string,
  since: number,
  { server, ctx, tag = OWNERSHIP_KEY }: Pick<Attempt, "server" | "ctx"> & { tag?: string },
): Promise<Thread[]> {
  // Copies of a tagged source inherit its tags, which stay the same when other metadata change.
  const value = metadata?.[tag];
  const shared = value === undefined ? (metadata ?? {}) : { [tag]: value };
  const matches = await server.threads.searchByMetadata(shared, 100);
  return matches.filter(
    (thread) =>
      thread.threadId !== source &&
      isNewCopy(thread, since, ctx) &&
      (value === undefined
        ? toCanonicalJson(thread.metadata ?? {}) === toCanonicalJson(shared)
        : thread.metadata?.[tag] === value),
  );
}

/** Whether another run may have created it as a copy. @param since Milliseconds, by the server's clock. */
const isNewCopy = (thread: Thread, since: number, { scope }: Context): boolean =>
  !scope.get(CreatesOfRun).createdIds.has(thread.threadId) && !existedBefore(thread, since) && isCopy(THREAD, thread);

/** Warns about copies without a marker, of killed runs or other programs: a copy is never adopted. */
async function warnOfCopies(thread: Thread, attempt: Attempt): Promise<void> {
  const { desired, server, ctx } = attempt;
  const source = desired.copyFrom ?? "";
  if (!hasMarkers(attempt)) return;
  // A new copy resembles its source; one that an earlier run tagged does not.
  const reference = isProven(THREAD, thread, attempt) ? await server.threads.get(source) : thread;
  if (!reference || isEmpty(reference.metadata ?? {})) return;
  const tag = reference.metadata?.[RESOURCE_KEY] === undefined ? OWNERSHIP_KEY : RESOURCE_KEY;
  const matches = await findSimilarCopies(reference, source, searchStart(ctx, server.now()), { server, ctx, tag });
  const leftovers = matches.filter((other) => other.threadId !== thread.threadId && isUnmodified(other));
  if (leftovers.length === 0) return;
  ctx.log.warn(
    `${server.url} has unmodified copies of ${source}, or of a thread that it replaced, without an ownership ` +
      `marker of their own: ${formatIds(idsOf(leftovers))}. If nobody else created them, an interrupted run of ` +
      `this resource did. This resource manages ${thread.threadId}.\nTo delete one:  DELETE ` +
      `${server.url}/threads/${leftovers[0]?.threadId}`,
  );
}

const searchStart = ({ settings }: Context, now: number) => now - Math.max(settings.resumeWithinMs, DAY_MS);
const DAY_MS = 24 * 60 * 60_000;

function isUnmodified({ createdAt, updatedAt }: Thread): boolean {
  const [created, updated] = [parseServerTimestamp(createdAt), parseServerTimestamp(updatedAt)];
  return created !== undefined && updated !== undefined && updated - created < MARGIN_MICROSECONDS;
}

/** A server may set the two times one after the other. */
const MARGIN_MICROSECONDS = 2_000_000n;
