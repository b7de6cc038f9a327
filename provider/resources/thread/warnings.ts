/** Warnings about threads after a create. */
import type { Thread } from "../../api/agent-server/threads";
import { formatIds, formatRemedies } from "../../objects/messages";
import { hasTag } from "../../objects/ownership";
import { type Attempt, THREAD } from "./fields";

/**
 * Warns about threads with the ownership marker that this resource may not have created, on servers that assign IDs.
 */
export function warnOfUnproven(unproven: readonly Thread[], current: Thread, attempt: Attempt): void {
  const { server, ctx } = attempt;
  // A response may also contain the thread of someone else, which has another marker.
  const marked = unproven.filter((thread) => hasTag(THREAD, thread, attempt));
  const others = marked.map(({ threadId }) => threadId).filter((id) => id !== current.threadId);
  if (others.length === 0) return;
  ctx.log.warn(
    `Threads at ${server.url} have the ownership marker of this resource, but nothing proves that it created them: ${formatIds(others)}. They may be left over from an interrupted run, or copies of an earlier thread. They were not changed. This resource manages ${current.threadId}.\n${formatRemedies(THREAD, others, attempt)}${ctx.ownerHint}`,
  );
}

export function warnOfOtherId({ threadId }: Thread, { desired, id, ctx }: Attempt): void {
  if (desired.threadId === undefined || threadId.toLowerCase() === id) return;
  ctx.log.warn(`threadId: the server assigned its own ID: ${threadId}.`);
}
