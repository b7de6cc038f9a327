/** Cancels exports, the only change that the API supports for them (API `10C.cancel`). */
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { sendRemoval } from "../optional-route";
import { findExport } from "./get-export";
import { hasEnded } from "./mapping";

/** Statuses of a request to cancel an export that has ended meanwhile. */
const ALREADY_ENDED_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * Cancels a running export or schedule and waits until it has ended. A lost response is resolved by its status.
 * @returns Whether the server supports cancellation.
 */
export async function cancelExport(id: string, ctx: Context): Promise<boolean> {
  const isActive = async () => {
    const remote = await findExport(id, ctx);
    return remote !== undefined && !hasEnded(remote.status);
  };
  try {
    const send = () => ctx.clients.tracing.cancelExport(id);
    const support = ctx.clients.tracing.routes;
    const result = await sendRemoval({ send, exists: isActive, clock: ctx.clock, route: "PATCH export", support });
    if ("missing" in result) return false;
    if ("gone" in result || hasEnded(result.response.status)) return true;
  } catch (error) {
    const hasAlreadyEnded = error instanceof HttpError && ALREADY_ENDED_STATUSES.has(error.status ?? 0);
    if (!hasAlreadyEnded || (await isActive())) throw error;
    return true;
  }
  await waitUntilEnded(id, ctx);
  return true;
}

async function waitUntilEnded(id: string, ctx: Context): Promise<void> {
  await ctx.waitUntil({
    kind: "cancellation",
    what: `export ${id} to be canceled`,
    poll: async () => {
      const remote = await findExport(id, ctx);
      return remote === undefined || hasEnded(remote.status) ? { done: true } : { pending: remote.status };
    },
    onInterruptHint: "the server continues to cancel it; the next `pulumi destroy` checks again",
  });
}
