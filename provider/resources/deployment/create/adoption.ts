/** Whose deployment is it? And: is this still the workspace it is in? (docs/design-decisions.md, ownership) */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { aliasesOption, isSameStack, OwnershipError } from "../../../definition/ownership";
import type { ExistingResource } from "../../../definition/results";
import { matchesPath } from "../../../schema/schema";
import { parseServerTimestamp } from "../../../schema/timestamp";
import { IMMUTABLE } from "../fields";
import type { Inputs } from "../inputs";
import { driftPaths, isMasked, markerIn } from "../mapping";

/**
 * A deployment of the wanted name exists: what an interrupted run of this resource left, or somebody else's.
 * @throws OwnershipError that says whose it is and what to do.
 */
export function claimExisting(existing: RemoteDeployment, desired: Inputs, ctx: Context): ExistingResource {
  const marker = markerIn(existing);
  const conflict = `the name "${desired.name}" is taken by deployment ${existing.id}`;
  if (ctx.clients.deploymentCache.undeletableIds.has(existing.id)) {
    throw new OwnershipError(
      `${conflict}, which was to be replaced, but this service cannot delete it: the name will never come free. Nothing was created: write another name, and remove the old deployment by hand.`,
    );
  }
  const importHint = `To take it over, add to the resource's options:  import: "${existing.id}"`;
  if (marker === undefined || isMasked(existing)) {
    if ((!ctx.settings.ownerMarker || isMasked(existing)) && createdInThisRun(existing, ctx))
      return { id: existing.id, because: "it was created since this run began." };
    throw new OwnershipError(
      `${conflict}, which carries no mark of a Pulumi resource. Nothing was changed.\n${importHint}`,
    );
  }
  if (marker === ctx.marker) {
    // This run made nothing under this name, and the lock of a backend lets no other run begin.
    if (createdByOtherRun(existing, ctx))
      throw new OwnershipError(
        `${conflict}, which another run of this stack created after this run began. No changes were made.\nIf the stack has two backends, give one of them up: both would manage this deployment, and a destroy of either deletes it. If that run was killed meanwhile, run \`pulumi up\` again.`,
      );
    if (hasSameImmutables(existing, desired) && isLikelyInterrupted(existing, ctx))
      return {
        id: existing.id,
        because: "this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.",
      };
    throw new OwnershipError(
      `${conflict}, which this resource created in an earlier run. Either retainOnDelete kept it, another Pulumi backend manages it, or this stack's state was lost. No changes were made.\n${importHint}`,
    );
  }
  if (isSameStack(marker, ctx.marker)) {
    throw new OwnershipError(
      `${conflict}, which this stack manages as ${marker}. No changes were made.\n` +
        `If you renamed or moved the resource, add to its options:  ${aliasesOption(marker, ctx.marker)}\n` +
        `If that old resource is no longer in this stack's state:   import: "${existing.id}"`,
    );
  }
  throw new OwnershipError(`${conflict}, which belongs to ${marker}. Nothing was changed: choose another name.`);
}

const hasSameImmutables = (existing: RemoteDeployment, desired: Inputs) =>
  !driftPaths(existing, desired).some((path) => IMMUTABLE.some((pattern) => matchesPath(path, pattern)));

/** The first revision is not through yet, or the deployment is young: then an interrupted run is the likely story. */
function isLikelyInterrupted(existing: RemoteDeployment, ctx: Context): boolean {
  return existing.activeRevisionId == null || ctx.serverNow() - createdAtMs(existing) < ctx.settings.resumeWithinMs;
}

/** The Date header counts whole seconds, hence the margin. Milliseconds. */
const MARGIN_MS = 2000;

export function createdInThisRun(existing: RemoteDeployment, ctx: Context): boolean {
  return createdAtMs(existing) >= ctx.runStartedAt() - MARGIN_MS;
}

/** Certainly created since this run began; a time in the future proves nothing. */
function createdByOtherRun(existing: RemoteDeployment, ctx: Context): boolean {
  const created = createdAtMs(existing);
  return created > ctx.runStartedAt() + MARGIN_MS && created <= ctx.serverNow() + MARGIN_MS;
}

/** Milliseconds; not a number where the service does not tell, which compares as neither young nor old. */
const createdAtMs = (existing: RemoteDeployment) =>
  Number(parseServerTimestamp(existing.createdAt) ?? Number.NaN) / 1000;
