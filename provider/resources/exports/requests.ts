/** The requests about exports, except the one that creates them, and the routes that a server may lack. */
import { LIST_EXPORTS, type ListOptions, type RemoteExport } from "../../api/tracing/client";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { optionalRoutes } from "../../definition/optional-route";
import { HttpError } from "../../http/errors";
import { sendRemoval } from "../../objects/server/optional-route";
import { assertSameId, assertWorkspaceResponds, listIfSupported } from "./idempotent-create";
import { hasEnded } from "./mapping";

const EXPORTS = "/api/v1/bulk-exports";

/** Routes for exports that a server may lack (API `10.missing-routes`). */
export const OPTIONAL_ROUTES = optionalRoutes(
  "tracing",
  ["GET", EXPORTS, "list exports", "the outcome of a create whose response was lost stays unknown"],
  [
    "PATCH",
    `${EXPORTS}/:id`,
    "cancel exports",
    "schedules can be neither replaced nor destroyed (forget: true removes them from state)",
  ],
  ["GET", `${EXPORTS}/:id/runs`, "list the runs of an export", "errors contain no days, and there are no totals"],
  ["GET", `${EXPORTS}/runs?source_bulk_export_id=:id`, "list the runs of a schedule", "functions that read them fail"],
);

/** Returns the export; undefined when it is gone, and its workspace responds. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  const remote = await ctx.clients.tracing.findExport(id);
  if (!remote) await assertWorkspaceResponds(ctx);
  return remote && assertSameId(remote, id);
}

/** Returns all exports of the workspace; undefined if the server does not list them. */
export const listExports = (ctx: Context, options?: ListOptions): Promise<Export[] | undefined> =>
  listIfSupported(() => ctx.clients.tracing.listExports(options), LIST_EXPORTS, ctx);

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
