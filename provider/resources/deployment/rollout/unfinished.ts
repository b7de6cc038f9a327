/** Detects in a refresh or an import that the latest revision is not live, so that the next `up` can continue. */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { ignoreHttpError } from "../../../http/errors";
import type { Inputs } from "../schema/inputs";
import { isFailed } from "./rollout";

/**
 * Returns what to warn of when the latest revision is not live although an up would have waited for it; undefined when it
 * is. Sends one request if so; a failure of that request does not fail the refresh.
 */
export async function findUnfinished(
  remote: RemoteDeployment,
  declared: Inputs,
  ctx: Context,
): Promise<{ warning?: string } | undefined> {
  const { id, latestRevisionId: latest, activeRevisionId: active } = remote;
  // Pushes create revisions that do not belong to the program.
  const isBuiltOnPush = remote.sourceConfig?.buildOnPush === true;
  if (latest == null || latest === active || isBuiltOnPush || declared.waitFor === "none") return undefined;
  const revision = await ctx.clients.controlPlane.getRevision(id, latest).catch(ignoreHttpError);
  if (!revision || !isFailed(revision.status)) return {};
  return {
    warning: `revision ${latest} failed (${revision.status}), so ${active == null ? "none" : active} is ${active == null ? "" : "still "}live. The next \`pulumi up\` retries it once.`,
  };
}
