/** Warns about threads that no resource seems to manage. They are never changed. */
import type { Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { existedBefore } from "../../objects/creation-time";
import { deriveResourceId, toCanonicalJson } from "../../objects/identity";
import { CreatesOfRun } from "../../objects/lost-response";
import { formatIds, formatRemedies, searchLeftovers, warnOfEarlierObjects } from "../../objects/messages";
import { parseServerTimestamp } from "../../schema/timestamp";
import { OWNERSHIP_KEY, RESOURCE_KEY, THREAD } from "./fields";
import { type Attempt, isOriginal, isProven } from "./ownership";

export const idsOf = (threads: readonly Thread[]): string[] => threads.map(({ threadId }) => threadId);

/** Warns about threads with the ownership marker that this resource may not have created, on servers that assign IDs. */
export function warnOfUnproven(unprovenThreads: readonly Thread[], current: Thread, attempt: Attempt): void {
  const { server, ctx } = attempt;
  const others = idsOf(unprovenThreads).filter((id) => id !== current.threadId);
  if (others.length === 0) return;
  ctx.log.warn(
    `Threads at ${server.url} have the ownership marker of this resource, but nothing proves that it created them: ${formatIds(others)}. They may be left over from an interrupted run, or copies of an earlier thread. They were not changed. This resource manages ${current.threadId}.\n${formatRemedies(THREAD, others, attempt)}${ctx.ownerHint}`,
  );
}

/** Warns about threads that interrupted runs of this resource left on the server. A failed check fails nothing. */
export async function warnOfLeftovers(thread: Thread, attempt: Attempt): Promise<void> {
  const checks = attempt.desired.copyFrom === undefined ? [warnOfEarlierThreads] : [warnOfCopies, warnOfEarlierThreads];
  for (const check of checks) if (!(await searchLeftovers(THREAD, () => check(thread, attempt), attempt))) return;
}

/** Warns about threads that earlier runs of this resource created with other inputs, or another run at the same time. */
async function warnOfEarlierThreads({ threadId: current }: Thread, attempt: Attempt): Promise<void> {
  const { ownershipTag, server, ctx } = attempt;
  if (ownershipTag === undefined) return;
  const resourceId = deriveResourceId(ctx);
  const matches = await server.searchThreads({ [RESOURCE_KEY]: resourceId }, 100);
  const others = matches.filter(
    (thread) => thread.threadId !== current && thread.metadata?.[RESOURCE_KEY] === resourceId && isOriginal(thread),
  );
  const isTwin = ({ metadata }: Thread) => metadata?.[OWNERSHIP_KEY] === ownershipTag;
  // Of others with an ID of the server, a create without `copyFrom` has looked for them and warned.
  if (attempt.desired.copyFrom !== undefined) warnOfTwins(idsOf(others.filter(isTwin)), current, attempt);
  warnOfEarlierObjects(THREAD, idsOf(others.filter((thread) => !isTwin(thread))), current, attempt);
}

/** The server assigns the ID of a copy, so two of them can have the marker of one resource. */
function warnOfTwins(ids: readonly string[], current: string, attempt: Attempt): void {
  const { server, ctx } = attempt;
  if (ids.length === 0) return;
  ctx.log.warn(
    `Other threads at ${server.url} have the ownership marker of this resource: ${formatIds(ids)}. Another run at the same time may have created them. They were not changed. This resource manages ${current}.\n${formatRemedies(THREAD, ids, attempt)}${ctx.ownerHint}`,
  );
}

/**
 * Returns the threads that were created since a time and resemble the source, as its copies do until they are tagged.
 * @param since Milliseconds, by the server's clock.
 * @param tag The metadata key that they share if the source has it: its marker, or that of the resource, which stays the
 * same when the source is replaced.
 */
export async function findSimilarCopies(
  { metadata }: Thread,
  source: string,
  since: number,
  { server, ctx, tag = OWNERSHIP_KEY }: Pick<Attempt, "server" | "ctx"> & { tag?: string },
): Promise<Thread[]> {
  // Copies of a tagged source inherit its tags, which stay the same when other metadata change.
  const value = metadata?.[tag];
  const shared = value === undefined ? (metadata ?? {}) : { [tag]: value };
  const matches = await server.searchThreads(shared, 100);
  return matches.filter(
    (thread) =>
      thread.threadId !== source &&
      isNewCopy(thread, since, ctx) &&
      (value === undefined
        ? toCanonicalJson(thread.metadata ?? {}) === toCanonicalJson(shared)
        : thread.metadata?.[tag] === value),
  );
}

/** Whether a thread may be a copy that another run created since a time. @param since Milliseconds, by the server's clock. */
export const isNewCopy = (thread: Thread, since: number, { scope }: Context): boolean =>
  !scope.get(CreatesOfRun).createdIds.has(thread.threadId) && !existedBefore(thread, since) && !isOriginal(thread);

/**
 * Warns about copies without an ownership marker. A run that is killed before it sets the marker leaves one, but so do
 * other programs that copy threads: a copy is therefore never adopted.
 */
async function warnOfCopies(thread: Thread, attempt: Attempt): Promise<void> {
  const { desired, ownershipTag, server, ctx } = attempt;
  const source = desired.copyFrom ?? "";
  if (ownershipTag === undefined) return;
  // A new copy resembles its source; one that an earlier run tagged does not.
  const reference = isProven(thread, attempt) ? await server.getThread(source) : thread;
  if (Object.keys(reference.metadata ?? {}).length === 0) return;
  const tag = reference.metadata?.[RESOURCE_KEY] === undefined ? OWNERSHIP_KEY : RESOURCE_KEY;
  const matches = await findSimilarCopies(reference, source, searchStart(ctx, server.now()), { server, ctx, tag });
  const leftovers = matches.filter((other) => other.threadId !== thread.threadId && isUnmodified(other));
  if (leftovers.length === 0) return;
  ctx.log.warn(
    `${server.url} has unmodified copies of ${source}, or of a thread that it replaced, without an ownership marker of their own: ${formatIds(idsOf(leftovers))}. If nobody else created them, an interrupted run of this resource did. This resource manages ${thread.threadId}.\nTo delete one:  DELETE ${server.url}/threads/${leftovers[0]?.threadId}`,
  );
}

/** Returns the time from which on to search: a server may process a request long after its run ended. Milliseconds. */
const searchStart = ({ settings }: Context, now: number) => now - Math.max(settings.resumeWithinMs, DAY_MS);
const DAY_MS = 24 * 60 * 60_000;

/** Whether a thread has not changed since its creation; false if the server does not return the times. */
function isUnmodified({ createdAt, updatedAt }: Thread): boolean {
  const [created, updated] = [parseServerTimestamp(createdAt), parseServerTimestamp(updatedAt)];
  return created !== undefined && updated !== undefined && updated - created < MARGIN_MICROSECONDS;
}

/** A server may set the two times one after the other. */
const MARGIN_MICROSECONDS = 2_000_000n;
