/** Reads one export. */
import type { RemoteExport } from "../../../api/tracing/client";
import type { Context } from "../../../definition/context";
import { assertWorkspaceResponds } from "../idempotent-create";

export type { RemoteExport } from "../../../api/tracing/client";

/** Returns the export; undefined when it is gone, and its workspace responds. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  const remote = await ctx.clients.tracing.findExport(id);
  if (!remote) await assertWorkspaceResponds(ctx);
  return remote;
}
