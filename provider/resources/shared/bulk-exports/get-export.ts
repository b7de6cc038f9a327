/** Reads one export. */
import type { Export } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { assertWorkspaceResponds } from "../idempotent-create";

export type RemoteExport = Export & { status: string };

/** Returns the export; undefined when its workspace responds and does not contain it. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  try {
    return await ctx.clients.tracing.getExport(id);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isNotFound) throw error;
    await assertWorkspaceResponds(ctx);
    return undefined;
  }
}
