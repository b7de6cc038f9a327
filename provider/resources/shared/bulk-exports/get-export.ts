/** A look at one export. */
import type { Export } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import { assertWorkspaceResponds } from "../idempotent-create";

export type RemoteExport = Export & { status: string };

/** The export as it is now; undefined when the workspace answered, and it was not in it. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  try {
    return await ctx.clients.tracing.getExport(id);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isNotFound) throw error;
    await assertWorkspaceResponds(ctx);
    return undefined;
  }
}
