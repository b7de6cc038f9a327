/** The requests about exports, except the one that creates them. */
import { UnsupportedError } from "../../api/profile/learned-profile";
import type { ListOptions, RemoteExport } from "../../api/tracing/client";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { hasEnded } from "./fields";
import { assertSameId, assertWorkspaceResponds, listIfSupported } from "./idempotent-create";

/** Returns the export; undefined when it is gone, and its workspace responds. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  const remote = await ctx.clients.tracing.findExport(id);
  if (!remote) await assertWorkspaceResponds(ctx);
  return remote && assertSameId(remote, id);
}

/** Returns all exports of the workspace; undefined if the server does not list them. */
export const listExports = (ctx: Context, options?: ListOptions): Promise<Export[] | undefined> =>
  listIfSupported(() => ctx.clients.tracing.listExports(options), "exports-list", ctx);

/** Statuses of a request to cancel an export that has ended meanwhile. */
const ALREADY_ENDED_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * Cancels a running export or schedule and waits until it has ended: the only change that the API supports (API
 * `10C.cancel`). A lost response is resolved by its status.
 * @returns Whether the server supports cancellation.
 */
export async function cancelExport(id: string, ctx: Context): Promise<boolean> {
  const isActive = async () => {
    const remote = await findExport(id, ctx);
    return remote !== undefined && !hasEnded(remote.status);
  };
  try {
    const { tracing } = ctx.clients;
    const request = { send: () => tracing.cancelExport(id), exists: isActive };
    const canceled = await tracing.profile.remove("exports-patch", request);
    if (!canceled || hasEnded(canceled.status)) return true;
  } catch (error) {
    if (error instanceof UnsupportedError) return false;
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
