/** Finds whether the latest revision is what an up leaves: live, and verified. */
import { FAILED_STATUSES, type Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import { sendWithRouteRetry } from "../../../api/profile/learned-profile";
import type { Context } from "../../../definition/context";
import { readUntil } from "../../../definition/wait";
import { ignoreHttpError } from "../../../http/errors";
import { declaresNoContent } from "../mapping/mapping";
import type { Inputs } from "../schema/inputs";
import type { State } from "../schema/outputs";

/** Whether the latest revision has ended without being live, so that its rollout cannot be resumed. */
export async function hasLatestRevisionFailed(remote: RemoteDeployment, ctx: Context): Promise<boolean> {
  const { id, latestRevisionId: latest, activeRevisionId: active } = remote;
  if (latest == null) return false;
  // One 404 proves nothing.
  const read = () => ctx.clients.controlPlane.getRevision(id, latest);
  const { status } = await sendWithRouteRetry(read, ctx.clock);
  if (status !== "DEPLOYED" || active == null || latest === active) return isFailed(status);
  // It may be active in a moment, or the server has gone back from it.
  const isCertain = (one: RemoteDeployment) => one.activeRevisionId === latest || one.latestRevisionId !== latest;
  const what = `revision ${latest} of deployment ${id} to be active`;
  const wait = { kind: "rollout", what, read: () => ctx.clients.controlPlane.getDeployment(id) };
  return !isCertain(await readUntil(remote, isCertain, wait, ctx));
}

/** Whether a revision ended without ever being live. */
const isFailed = (status: string): boolean => FAILED_STATUSES.has(status) || status === "INTERRUPTED";

/**
 * Returns what to warn of when the latest revision is not live and verified although an up would have waited for that;
 * undefined when it is. Sends one request if so; a failure of that request does not fail the refresh.
 */
export async function findUnfinished(
  remote: RemoteDeployment,
  declared: Inputs,
  { verifiedRevisionId }: Pick<State, "verifiedRevisionId">,
  ctx: Context,
): Promise<{ warning?: string } | undefined> {
  const { id, latestRevisionId: latest, activeRevisionId: active } = remote;
  // Pushes create revisions that do not belong to the program.
  const isPushed = remote.sourceConfig?.buildOnPush === true || declaresNoContent(declared);
  if (latest == null || isPushed || declared.waitFor === "none") return undefined;
  if (latest === active) {
    if (!declared.verify?.length || active === verifiedRevisionId) return undefined;
    return { warning: `revision ${active} is live and has not passed its checks. The next \`pulumi up\` runs them.` };
  }
  const revision = await ctx.clients.controlPlane.getRevision(id, latest).catch(ignoreHttpError);
  if (!revision || !isFailed(revision.status)) return {};
  return {
    warning:
      `revision ${latest} failed (${revision.status}). The server reports ${active ?? "no revision"} as active. ` +
      "The next `pulumi up` retries the failed one once.",
  };
}
