/** Detects in a refresh that an `up` was killed during a rollout, so that the next one can continue it. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";
import type { Inputs } from "../inputs";
import { isFailed } from "./rollout";

/**
 * Whether the latest revision is not live although an up would have waited for it. Sends one request if so; a failure of
 * that request does not fail the refresh.
 */
export async function isUnfinished(remote: RemoteDeployment, declared: Inputs, ctx: Context): Promise<boolean> {
  const { id, latestRevisionId: latest, activeRevisionId: active } = remote;
  // Pushes create revisions that do not belong to the program.
  const isBuiltOnPush = remote.sourceConfig?.buildOnPush === true;
  if (latest == null || latest === active || isBuiltOnPush || declared.waitFor === "none") return false;
  const revision = await ctx.clients.controlPlane.getRevision(id, latest).catch((error: unknown) => {
    if (error instanceof HttpError) return undefined;
    throw error;
  });
  if (revision && isFailed(revision.status))
    ctx.log.warn(
      `revision ${latest} failed (${revision.status}), so ${active == null ? "none" : active} is ${active == null ? "" : "still "}live. The next \`pulumi up\` retries it once.`,
    );
  return true;
}
