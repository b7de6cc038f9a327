/**
 * Whose a deployment is, as far as a response shows, for an update and before a create. What is unknown is not ours: no
 * path changes or deletes a deployment because of a time or a name alone (docs/internal/ownership.md).
 */
import { isDeleting, type Deployment as RemoteDeployment } from "../../api/control-plane/client";
import { IncompleteListError } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { aliasesOption, isSameMarker, isSameStack, OwnershipError, REPLACE_HINT } from "../../definition/ownership";
import { ignoreHttpError } from "../../http/errors";
import { assertDeleted } from "../../objects/server/endpoint";
import { createdAtMs } from "../../schema/timestamp";
import { UserError } from "../../text/user-error";
import { waitUntilNameIsFree } from "./deletion";
import { DeploymentsOfRun } from "./deployments-of-run";
import { isMasked, markerIn } from "./mapping/marker";
import { driftPaths, isImmutable } from "./mapping/response";
import type { Inputs } from "./schema/inputs";

/** Whether a response shows the marker if there is one: servers mask secrets, or hide them before a revision. */
export const showsMarker = (remote: RemoteDeployment): boolean =>
  !isMasked(remote) &&
  (remote.secrets?.length ? true : remote.secrets !== undefined && remote.latestRevisionId != null);

/**
 * Returns the marker of a deployment that another resource manages by now; undefined when the marker is ours, the one
 * in state, absent or not shown. Such a deployment is in state, so its ID is the proof that it is ours.
 */
export function foreignMarker(remote: RemoteDeployment, ctx: Context): string | undefined {
  const marker = markerIn(remote);
  const isOwn = marker === undefined || marker === ctx.recorded.marker || isSameMarker(marker, ctx.marker);
  return isOwn ? undefined : marker;
}

/** Returns what an update may change. @throws OwnershipError when it was deleted, or is another resource's now. */
export async function readOwn(id: string, tenantId: string | undefined, ctx: Context): Promise<RemoteDeployment> {
  const remote = await ctx.clients.deploymentCache.findCurrent(id);
  if (!remote) await assertDeleted(id, tenantId, ctx);
  if (!remote || isDeleting(remote))
    throw new OwnershipError(
      `Deployment ${id} ${remote ? "is being deleted" : "no longer exists"} on the server, so it cannot be ` +
        "changed. Run `pulumi up --refresh` to create it again.",
    );
  const marker = foreignMarker(remote, ctx);
  // State of version 0.1.0 may have no marker, and an alias may have renamed the resource since.
  if (marker === undefined || ctx.recorded.marker === undefined) return remote;
  throw new OwnershipError(
    `Deployment ${remote.id} is now managed by ${marker}. No changes were made.\n` +
      "To manage it there alone, remove this resource from the program: a destroy keeps the deployment.",
  );
}

/** Returns the declared paths, but the size class, by which a deployment is certainly another one. */
export const creationDifferences = (remote: RemoteDeployment, desired: Inputs): string[] =>
  driftPaths(remote, desired).filter((path) => isIdentity(path) || path === "sourceRevisionConfig.imageUri");

/** Whether a difference shows that a deployment was not created from these inputs. */
const isIdentity = (path: string): boolean => isImmutable(path) && path !== "sourceConfig.deploymentType";

/** Margin for the Date header, which has whole seconds. */
export const MARGIN_MS = 2000;

export interface ExistingDeployment {
  id: string;
  because: string;
}

/**
 * Returns the deployment that an interrupted run of this resource left; undefined when the name is free.
 * @throws OwnershipError when someone else uses the name. @throws UserError when the server does not list everything.
 */
export async function findExisting(desired: Inputs, ctx: Context): Promise<ExistingDeployment | undefined> {
  const existing = await findByName(desired, ctx);
  if (!existing) await warnOfLeftovers(ctx);
  return existing;
}

/** Returns the same without a warning about deployments of other names, such as the one that is to be replaced. */
export async function findByName(desired: Inputs, ctx: Context): Promise<ExistingDeployment | undefined> {
  const { deploymentCache } = ctx.clients;
  const find = desired.agent ? searchDesired(desired, ctx) : deploymentCache.findByName(desired.name);
  const existing = await find.catch((error: unknown) => {
    if (!(error instanceof IncompleteListError)) throw error;
    throw new UserError(
      `${error.message}\nCould not determine whether the name "${desired.name}" is taken. Nothing was ` +
        "created. Run `pulumi up` again.",
    );
  });
  if (!existing) return undefined;
  if (isDeleting(existing)) return waitUntilNameIsFree(existing.id, desired.name, ctx);
  return requireResumable(existing, desired, ctx);
}

/**
 * Searches for the deployment that has the desired name or runs the desired agent, without the cache. Where a server
 * does not show the agent, the ownership marker of this resource identifies its deployment.
 */
export function searchDesired(
  { name, agent }: Pick<Inputs, "name" | "agent">,
  ctx: Context,
): Promise<RemoteDeployment | undefined> {
  const { deploymentCache } = ctx.clients;
  if (!agent) return deploymentCache.searchByName(name);
  return deploymentCache.searchByAgent(
    agent,
    (other) => other.name === "" && !other.agent && isSameMarker(markerIn(other) ?? "", ctx.marker),
  );
}

async function warnOfLeftovers(ctx: Context): Promise<void> {
  const hasOwnershipMarker = (deployment: RemoteDeployment) =>
    isSameMarker(markerIn(deployment) ?? "", ctx.marker) && !isDeleting(deployment);
  for (const { id } of await ctx.clients.deploymentCache.filterCached(hasOwnershipMarker)) {
    // The list may be older than a delete of this run.
    const isKnown = ctx.scope.get(DeploymentsOfRun).undeletableIds.has(id) || ctx.moves.from(id) !== undefined;
    const remote = isKnown ? undefined : await ctx.clients.deploymentCache.peekById(id).catch(ignoreHttpError);
    if (!remote || !hasOwnershipMarker(remote)) continue;
    ctx.log.warn(
      `Deployment ${id} ("${remote.name}") has the ownership marker of this resource and another name. An ` +
        "interrupted run or a replacement left it behind, and no state refers to it.\n" +
        `To delete it:  DELETE ${ctx.settings.controlPlaneUrl?.origin}/v2/deployments/${id}\nTo keep it, ` +
        "remove its secret PULUMI_RESOURCE on the server, and declare it as another resource with  import: " +
        `"${id}"${ctx.ownerHint}`,
    );
  }
}

/** Returns the deployment that an interrupted run created. @throws OwnershipError with the owner otherwise. */
function requireResumable(existing: RemoteDeployment, desired: Inputs, ctx: Context): ExistingDeployment {
  const marker = markerIn(existing);
  const ofAgent = desired.agent ? " (an agent has one deployment in each environment)" : "";
  const conflict = `the name "${desired.name}" is taken by deployment ${existing.id}${ofAgent}`;
  if (ctx.scope.get(DeploymentsOfRun).undeletableIds.has(existing.id)) {
    throw new OwnershipError(
      `${conflict}, which must be deleted first, but this server does not support deletion, so the name stays ` +
        "taken. Nothing was created. Choose another name and delete the old deployment manually.",
    );
  }
  const importHint = `To adopt it, add to the resource options:  import: "${existing.id}"`;
  if (marker === undefined) {
    const { ownerMarker } = ctx.settings;
    const why = ownerMarker ? "the server shows" : "could be compared (ownerMarker is false)";
    const owner =
      ownerMarker && showsMarker(existing)
        ? "which is not managed by Pulumi"
        : `which has no ownership marker that ${why}, so it may belong to others`;
    throw new OwnershipError(`${conflict}, ${owner}. No changes were made.\n${importHint}`);
  }
  // A live one of the other provider may be in state under its own type, and would be deleted with that entry.
  const isOfOtherProvider = marker !== ctx.marker && existing.activeRevisionId != null;
  if (isSameMarker(marker, ctx.marker) && !isOfOtherProvider) {
    // This run created nothing with this name, and the lock of the backend prevents concurrent runs.
    if (createdByOtherRun(existing, ctx))
      throw new OwnershipError(
        `${conflict}, which another run of this stack created after this run began. No changes were made.\nIf ` +
          "the stack has two backends, stop using one of them: both would manage this deployment, and a destroy " +
          `of either deletes it. If that run was killed meanwhile, run \`pulumi up\` again.${ctx.ownerHint}`,
      );
    const move = ctx.moves.of(ctx.urn);
    const last = move?.to === undefined ? move?.from.at(-1) : undefined;
    if (last !== undefined && last !== existing.id && move?.from.includes(existing.id))
      throw new OwnershipError(
        `${conflict}, whose conversations deployment ${last} has by now. No changes were made.\nRun \`pulumi ` +
          `up\` with the name that the program had, which deletes ${existing.id} unless retainOnDelete kept it, ` +
          "and change the name afterwards.",
      );
    if (last === existing.id && hasSameImmutables(existing, desired))
      return { id: existing.id, because: "the program declares it again, and what was to replace it is deleted." };
    if (hasSameImmutables(existing, desired) && isLikelyInterrupted(existing, ctx))
      return {
        id: existing.id,
        because: "this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.",
      };
    throw new OwnershipError(
      `${conflict}, which this resource created in an earlier run. Either retainOnDelete kept it, another ` +
        "Pulumi backend manages it, or this stack's state was lost. No changes were " +
        `made.\n${importHint}\n${REPLACE_HINT}${ctx.ownerHint}`,
    );
  }
  if (isSameStack(marker, ctx.marker)) {
    throw new OwnershipError(
      `${conflict}, which this stack manages as ${marker}. No changes were made.\n` +
        `If you renamed or moved the resource, add to its options:  ${aliasesOption(marker, ctx.marker)}\n` +
        "If that resource is no longer in this stack's state, remove its secret PULUMI_RESOURCE on the " +
        `server, and add:  import: "${existing.id}"`,
    );
  }
  throw new OwnershipError(`${conflict}, which is managed by ${marker}. No changes were made. Choose another name.`);
}

const hasSameImmutables = (existing: RemoteDeployment, desired: Inputs) =>
  !driftPaths(existing, desired).some(isIdentity);

/** Whether an interrupted run probably created it: it has no live revision yet, or it is recent. */
function isLikelyInterrupted(existing: RemoteDeployment, ctx: Context): boolean {
  return existing.activeRevisionId == null || ctx.serverNow() - createdAtMs(existing) < ctx.settings.resumeWithinMs;
}

/** Whether it was certainly created since this run began; a time in the future proves nothing. */
function createdByOtherRun(existing: RemoteDeployment, ctx: Context): boolean {
  const created = createdAtMs(existing);
  return created > ctx.runStartedAt() + MARGIN_MS && created <= ctx.serverNow() + MARGIN_MS;
}
