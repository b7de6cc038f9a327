/** What a refresh finds out about a rollout whose `up` was killed, so that the next one can continue it. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import type { Inputs } from "../inputs";
import { isFailed } from "./rollout";

/**
 * Whether the newest revision is not live although an up would have waited for it. True needs one request more, and no
 * answer is no reason to fail a refresh.
 */
export async function isUnfinished(remote: RemoteDeployment, declared: Inputs, ctx: Context): Promise<boolean> {
  const { id, latestRevisionId: latest, activeRevisionId: active } = remote;
  // Pushes make revisions by themselves: their builds are not the program's.
  const isBuiltOnPush = remote.sourceConfig?.buildOnPush === true;
  if (latest == null || latest === active || isBuiltOnPush || declared.waitFor === "none") return false;
  const revision = await ctx.clients.controlPlane.getRevision(id, latest).catch((error: unknown) => {
    if (error instanceof HttpError) return undefined;
    throw error;
  });
  if (revision && isFailed(revision.status))
    ctx.log.warn(
      `revision ${latest} failed (${revision.status}), so ${active == null ? "none" : active} is ${active == null ? "" : "still "}live. The next \`pulumi up\` makes one new attempt.`,
    );
  return true;
}
