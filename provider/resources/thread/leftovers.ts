/** Threads that no resource seems to refer to. They are named, with what to do about them, and never touched. */
import type { Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { parseServerTimestamp } from "../../schema/timestamp";
import { OWNERSHIP_KEY, RESOURCE_KEY } from "./fields";
import { deriveResourceId, toCanonicalJson } from "./identity";
import { type Attempt, existedBefore, isOriginal, isProven } from "./ownership";

/** How many threads a warning names. */
const MAX_LISTED_IDS = 5;

/** IDs as a warning lists them. */
export function formatIds(threads: readonly Thread[]): string {
  const listed = threads.slice(0, MAX_LISTED_IDS).map(({ threadId }) => threadId);
  const more = threads.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What to do about threads of which nobody knows whose they are, as aligned lines. */
export function formatRemedies([first]: readonly Thread[], url: string): string {
  return `To take one over:  import: "${first?.threadId}"\nTo delete one:     DELETE ${url}/threads/${first?.threadId}`;
}

/** Names threads that carry our marker without proof, where the server chooses IDs. */
export function warnOfUnproven(unproven: readonly Thread[], kept: Thread, { server, ctx }: Attempt): void {
  const others = unproven.filter(({ threadId }) => threadId !== kept.threadId);
  if (others.length === 0) return;
  ctx.log.warn(
    `Threads at ${server.url} carry the ownership marker of this resource, but nothing proves that it created them: ${formatIds(others)}. An interrupted run or a copy of an earlier thread may have left them. They were not changed; this resource has ${kept.threadId}.\n${formatRemedies(others, server.url)}`,
  );
}

/** Names what interrupted runs of this resource left on the server. Nothing that fails here concerns the thread itself. */
export async function warnOfLeftovers(thread: Thread, attempt: Attempt): Promise<void> {
  const { desired, server, ctx } = attempt;
  for (const check of desired.copyFrom === undefined ? [warnOfEarlierThreads] : [warnOfCopies, warnOfEarlierThreads]) {
    try {
      await check(thread, attempt);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Otherwise the server has no such search, and never had.
      if (!error.isRetryable) continue;
      const [reason] = error.message.split("\n");
      ctx.log.warn(
        `Could not check whether interrupted runs of this resource left threads at ${server.url} (${reason}).`,
      );
      return;
    }
  }
}

/** Names threads that this resource made in earlier runs with other inputs, and to which nothing refers. */
async function warnOfEarlierThreads(
  { threadId: kept }: Thread,
  { ownershipTag: mark, server, ctx }: Attempt,
): Promise<void> {
  if (mark === undefined) return;
  const matches = await server.searchThreads({ [RESOURCE_KEY]: deriveResourceId(ctx) }, 100);
  const isEarlier = ({ metadata }: Thread) =>
    metadata?.[RESOURCE_KEY] === deriveResourceId(ctx) && metadata[OWNERSHIP_KEY] !== mark;
  const leftovers = matches.filter((thread) => thread.threadId !== kept && isEarlier(thread) && isOriginal(thread));
  if (leftovers.length === 0) return;
  ctx.log.warn(
    `Earlier runs of this resource left threads at ${server.url} that nothing refers to: ${formatIds(leftovers)}. They were made with other inputs, and were not changed; this resource has ${kept}.\n${formatRemedies(leftovers, server.url)}`,
  );
}

/**
 * Returns the threads that were created since then and resemble the source, as its copies do until they are tagged.
 * @param model The source, or a copy as the server returned it.
 * @param tag The metadata key that they share where the source has it: its marker, or that of the resource, which stays
 * the same when the source is replaced.
 */
export async function findSimilarCopies(
  { metadata }: Thread,
  source: string,
  since: number,
  { server, ctx, tag = OWNERSHIP_KEY }: Pick<Attempt, "server" | "ctx"> & { tag?: string },
): Promise<Thread[]> {
  // A source that was made here gives its copies its own tags, which stay when the rest of it changes.
  const value = metadata?.[tag];
  const shared = value === undefined ? (metadata ?? {}) : { [tag]: value };
  const matches = await server.searchThreads(shared, 100);
  return matches.filter(
    (thread) =>
      thread.threadId !== source &&
      !ctx.createdInRun.has(thread.threadId) &&
      !existedBefore(thread, since) &&
      !isOriginal(thread) &&
      (value === undefined
        ? toCanonicalJson(thread.metadata ?? {}) === toCanonicalJson(shared)
        : thread.metadata?.[tag] === value),
  );
}

/**
 * A run that is killed between the response and the marker leaves a copy that nothing refers to. Programs of the user
 * copy threads too, and theirs look the same: so it is never taken over, only named.
 */
async function warnOfCopies(thread: Thread, attempt: Attempt): Promise<void> {
  const { desired, ownershipTag: mark, server, ctx } = attempt;
  const source = desired.copyFrom ?? "";
  if (mark === undefined) return;
  // A copy as the server returns it is like its source; one that an earlier run marked is no longer.
  const reference = isProven(thread, attempt) ? await server.getThread(source) : thread;
  if (Object.keys(reference.metadata ?? {}).length === 0) return;
  const tag = reference.metadata?.[RESOURCE_KEY] === undefined ? OWNERSHIP_KEY : RESOURCE_KEY;
  const matches = await findSimilarCopies(reference, source, searchStart(ctx, server.now()), { server, ctx, tag });
  const leftovers = matches.filter((other) => other.threadId !== thread.threadId && isUnmodified(other));
  if (leftovers.length === 0) return;
  ctx.log.warn(
    `At ${server.url} there are copies of ${source}, or of a thread that it replaced, that carry no ownership marker of their own and have not changed: ${formatIds(leftovers)}. If nobody else made them, an interrupted run of this resource did, and nothing refers to them; this resource has ${thread.threadId}.\nTo delete one:  DELETE ${server.url}/threads/${leftovers[0]?.threadId}`,
  );
}

/** A request may be acted on long after its run ended; what is older than a day is no longer looked for. */
const searchStart = ({ settings }: Context, now: number) => now - Math.max(settings.resumeWithinMs, DAY_MS);
const DAY_MS = 24 * 60 * 60_000;

/** Whether nothing has changed a thread since it was made; false where its server does not tell. */
function isUnmodified({ createdAt, updatedAt }: Thread): boolean {
  const [created, updated] = [parseServerTimestamp(createdAt), parseServerTimestamp(updatedAt)];
  return created !== undefined && updated !== undefined && updated - created < MARGIN_MICROSECONDS;
}

/** A server may note the two times one after the other. */
const MARGIN_MICROSECONDS = 2_000_000n;
