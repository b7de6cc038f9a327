/** Cancelling, the only change that an export knows (interface-notes section 3). */
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { sendRemoval } from "../optional-route";
import { look } from "./get-export";
import { hasEnded } from "./mapping";

/** Statuses of a refusal because it has ended meanwhile. */
const TOO_LATE: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * Cancels an export or a schedule that is at work, and waits until it no longer is. A lost answer is settled by a look.
 * @returns Whether the service has a way to cancel.
 */
export async function cancel(id: string, ctx: Context): Promise<boolean> {
  const isAtWork = async () => {
    const now = await look(id, ctx);
    return now !== undefined && !hasEnded(now.status);
  };
  try {
    const send = () => ctx.clients.tracing.cancelExport(id);
    const result = await sendRemoval({ send, exists: isAtWork, clock: ctx.clock });
    if ("missing" in result) return false;
    if ("gone" in result || hasEnded(result.response.status)) return true;
  } catch (error) {
    const isTooLate = error instanceof HttpError && TOO_LATE.has(error.status ?? 0);
    if (!isTooLate || (await isAtWork())) throw error;
    return true;
  }
  await untilEnded(id, ctx);
  return true;
}

async function untilEnded(id: string, ctx: Context): Promise<void> {
  await ctx.waitUntil({
    what: `export ${id} to be cancelled`,
    poll: async () => {
      const now = await look(id, ctx);
      return now === undefined || hasEnded(now.status) ? { done: true } : { pending: now.status };
    },
    onInterruptHint: "the service goes on cancelling it, and the next `pulumi destroy` looks again",
  });
}
