/** Finds whether the latest revision is live and verified, and redeploys: after a changed trigger, and a failure. */
import {
  type DeploymentBody,
  FAILED_STATUSES,
  type Deployment as RemoteDeployment,
} from "../../../api/control-plane/client";
import { sendWithRouteRetry } from "../../../api/profile/learned-profile";
import type { Context } from "../../../definition/context";
import { readUntil } from "../../../definition/wait";
import { ignoreHttpError } from "../../../http/errors";
import { diffPaths } from "../../../schema/compare";
import { fieldsAt, valueAt } from "../../../schema/schema";
import { redeployRevision, updateDeployment, waitForNewRevision } from "../applied";
import { type Change, changesRevision, declaresNoContent, hasPathUnder } from "../mapping/mapping";
import { driftPaths, schemaOf } from "../mapping/response";
import type { Inputs } from "../schema/inputs";
import type { State } from "../schema/outputs";

type Revision = RemoteDeployment["latestRevisionId"];
export type RevisionConfig = NonNullable<DeploymentBody["sourceRevisionConfig"]>;

export interface Redeployed {
  remote: RemoteDeployment;
  /** Whether it failed and is not of this resource, so that there is nothing to wait for. */
  isOfOthers: boolean;
}

/**
 * Redeploys the same configuration when a trigger changed, or when the last update of this resource failed. The failed
 * revision of someone else, such as a push, is not retried: no preview has announced it.
 */
export async function redeployIfNeeded(remote: RemoteDeployment, change: Change, ctx: Context): Promise<Redeployed> {
  const { inputs: desired, paths } = change;
  const isTriggered = hasPathUnder(paths, "redeployTriggers");
  if (!isTriggered && !(await hasLatestRevisionFailed(remote, ctx))) return { remote, isOfOthers: false };
  const revisionId = isTriggered ? remote.latestRevisionId : ownFailure(remote, change, ctx);
  if (!isTriggered && revisionId == null) {
    ctx.log.warn(
      `revision ${remote.latestRevisionId} has failed. It was not made by the last \`pulumi up\` of this ` +
        `resource, so it was not retried; the server reports ${remote.activeRevisionId ?? "no revision"} as ` +
        "active.",
    );
    return { remote, isOfOthers: true };
  }
  const isLatest = revisionId === remote.latestRevisionId;
  const retried = isLatest ? "it" : `revision ${revisionId}, that of the last \`pulumi up\`,`;
  if (!isTriggered)
    ctx.log.warn(`the latest revision had failed; retrying ${retried} once with the same configuration.`);
  const body = toRedeployRequest(desired) ?? toRedeployRequest(remoteRevisionConfig(remote, desired));
  // A redeploy may reuse the image that was built before, from another repository (API `4A.redeploy:image`).
  const isBuilt = body && paths.some((path) => /^sourceConfig\.(repoUrl|integrationId)$/.test(path));
  const redeployed = isBuilt ? undefined : await redeployRevision(remote, revisionId, ctx);
  const started = redeployed ?? (body && (await updateDeployment(remote, body, ctx)));
  if (started) return { remote: await waitForNewRevision(remote, started, desired, ctx), isOfOthers: false };
  ctx.log.warn(
    "not redeployed: the server has no redeploy endpoint and no revision field is set. Set one, or " +
      "deploy a revision on the server.",
  );
  return { remote, isOfOthers: false };
}

/**
 * Returns the revision to retry where the latest one has failed: that of a killed update, whose changes the server has
 * already, or that of the last update, also if the failed one of others came after it. Undefined where none is ours.
 */
function ownFailure(remote: RemoteDeployment, { inputs, paths, isUnfinished, state }: Change, ctx: Context): Revision {
  if (changesRevision(paths, ctx)) return remote.latestRevisionId;
  if (!isUnfinished) return undefined;
  const own = state.latestRevisionId;
  if (own != null) return own === remote.activeRevisionId ? undefined : own;
  // State names no revision of a rollback whose outcome is unknown.
  const isOther = driftPaths(remote, inputs).some((path) => path.startsWith("sourceRevisionConfig."));
  return isOther ? undefined : remote.latestRevisionId;
}

/** Returns a PATCH for what the last update stored without a revision; undefined after a later revision. */
export function toRepeatedRequest(
  { inputs: desired, previous, state, paths, isUnfinished }: Change,
  remote: RemoteDeployment,
  ctx: Context,
): DeploymentBody | undefined {
  const { latestRevisionId: latest } = remote;
  // A path may only be uncertain.
  const changed = diffPaths(schemaOf(desired), previous, desired).filter((path) => paths.includes(path));
  const isMissing = latest == null || (latest === state.latestRevisionId && changesRevision(changed, ctx));
  if (!isUnfinished || !isMissing) return undefined;
  return toRedeployRequest(desired) ?? toRedeployRequest(remoteRevisionConfig(remote, desired));
}

/** Returns a PATCH that redeploys the same configuration: an unchanged, non-null field (API `3.1`). */
export function toRedeployRequest({
  sourceRevisionConfig = {},
}: Pick<RemoteDeployment, "sourceRevisionConfig"> | Inputs): DeploymentBody | undefined {
  const { imageUri, sourceTarballPath, repoRef, agentgraphConfigPath } = sourceRevisionConfig;
  const fields = Object.entries({ imageUri, sourceTarballPath, repoRef, agentgraphConfigPath });
  const first = fields.find(([, value]) => value);
  return first && { sourceRevisionConfig: Object.fromEntries([first]) };
}

/** Returns the revision fields that this source supports, without those that a build added. */
export function pickRevisionConfig(held: RemoteDeployment["sourceRevisionConfig"], desired: Inputs): RevisionConfig {
  const fields = fieldsAt(schemaOf(desired), "sourceRevisionConfig");
  return Object.fromEntries(fields.map((field) => [field, valueAt(held, field) ?? undefined]));
}

export const remoteRevisionConfig = (remote: RemoteDeployment, desired: Inputs) => ({
  sourceRevisionConfig: pickRevisionConfig(remote.sourceRevisionConfig, desired),
});

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
