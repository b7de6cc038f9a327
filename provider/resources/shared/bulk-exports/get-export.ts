/** Reads one export, or all. */
import { LIST_EXPORTS, type RemoteExport } from "../../../api/tracing/client";
import type { Export } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { assertWorkspaceResponds, listIfSupported } from "../idempotent-create";

export type { RemoteExport } from "../../../api/tracing/client";

/** Returns the export; undefined when it is gone, and its workspace responds. */
export async function findExport(id: string, ctx: Context): Promise<RemoteExport | undefined> {
  const remote = await ctx.clients.tracing.findExport(id);
  if (!remote) await assertWorkspaceResponds(ctx);
  return remote;
}

/** Returns all exports of the workspace; undefined if the server does not list them. */
export const listExports = (ctx: Context): Promise<Export[] | undefined> =>
  listIfSupported(() => ctx.clients.tracing.listExports(), LIST_EXPORTS, ctx);
