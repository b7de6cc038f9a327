/** Cancelling, the only change that an export knows (interface-notes section 3). */
import type { Context } from "../definition";
import { RequestError } from "../http/errors";
import { look } from "./look";
import { hasEnded } from "./server-side";

/** Statuses of a refusal because it has ended meanwhile. */
const TOO_LATE: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * Cancels an export or a schedule that is at work, and waits until it no longer is. A lost answer is settled by a look.
 * @returns Whether the service has a way to cancel.
 */
export async function cancel(id: string, ctx: Context): Promise<boolean> {
  let status: string | null | undefined;
  try {
    status = (await ctx.tracing.cancelExport(id)).status;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const settled = error.mayHaveActed || error.maybeMissingRoute || TOO_LATE.has(error.status ?? 0);
    if (!settled) throw error;
    const now = await look(id, ctx);
    if (now === undefined || hasEnded(now.status)) return true;
    if (error.maybeMissingRoute) return false;
    throw error;
  }
  if (!hasEnded(status)) await untilEnded(id, ctx);
  return true;
}

async function untilEnded(id: string, ctx: Context): Promise<void> {
  await ctx.waitUntil({
    what: `export ${id} to be cancelled`,
    look: async () => {
      const now = await look(id, ctx);
      return now === undefined || hasEnded(now.status) ? { done: true } : { pending: now.status };
    },
    leaving: "the service goes on cancelling it, and the next `pulumi destroy` looks again",
  });
}
