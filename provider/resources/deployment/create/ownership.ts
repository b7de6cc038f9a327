/** Determines who owns an existing deployment (docs/internal/decisions.md, ownership). */
import type { Deployment as RemoteDeployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { aliasesOption, isSameMarker, isSameStack, OwnershipError, REPLACE_HINT } from "../../../definition/ownership";
import { matchesPath } from "../../../schema/schema";
import { parseServerTimestamp } from "../../../schema/timestamp";
import { DeploymentsOfRun } from "../deployments-of-run";
import { driftPaths, isMasked, markerIn } from "../mapping";
import { IMMUTABLE, type Inputs } from "../schema/inputs";

/** A deployment that an interrupted run of this resource created. */
export interface ExistingDeployment {
  id: string;
  /** Why it is attributed to this resource. */
  because: string;
}

/**
 * Returns an existing deployment with the desired name if an interrupted run of this resource created it, so that it is resumed.
 * @throws OwnershipError with the owner and what to do, when it belongs to someone else.
 */
export function requireResumable(existing: RemoteDeployment, desired: Inputs, ctx: Context): ExistingDeployment {
  const marker = markerIn(existing);
  const conflict = `the name "${desired.name}" is taken by deployment ${existing.id}`;
  if (ctx.scope.get(DeploymentsOfRun).undeletableIds.has(existing.id)) {
    throw new OwnershipError(
      `${conflict}, which must be deleted first, but this server does not support deletion, so the name stays taken. Nothing was created. Choose another name and delete the old deployment manually.`,
    );
  }
  const importHint = `To adopt it, add to the resource options:  import: "${existing.id}"`;
  if (marker === undefined || isMasked(existing)) {
    if ((!ctx.settings.ownerMarker || isMasked(existing)) && createdInThisRun(existing, ctx))
      return { id: existing.id, because: "it was created since this run began." };
    throw new OwnershipError(`${conflict}, which is not managed by Pulumi. No changes were made.\n${importHint}`);
  }
  // A live one that the other provider created may be in state under its own type, and would be deleted with that entry.
  const isOfOtherProvider = marker !== ctx.marker && existing.activeRevisionId != null;
  if (isSameMarker(marker, ctx.marker) && !isOfOtherProvider) {
    // This run created nothing with this name, and the lock of the backend prevents concurrent runs.
    if (createdByOtherRun(existing, ctx))
      throw new OwnershipError(
        `${conflict}, which another run of this stack created after this run began. No changes were made.\nIf the stack has two backends, stop using one of them: both would manage this deployment, and a destroy of either deletes it. If that run was killed meanwhile, run \`pulumi up\` again.${ctx.ownerHint}`,
      );
    if (hasSameImmutables(existing, desired) && isLikelyInterrupted(existing, ctx))
      return {
        id: existing.id,
        because: "this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.",
      };
    throw new OwnershipError(
      `${conflict}, which this resource created in an earlier run. Either retainOnDelete kept it, another Pulumi backend manages it, or this stack's state was lost. No changes were made.\n${importHint}\n${REPLACE_HINT}${ctx.ownerHint}`,
    );
  }
  if (isSameStack(marker, ctx.marker)) {
    throw new OwnershipError(
      `${conflict}, which this stack manages as ${marker}. No changes were made.\n` +
        `If you renamed or moved the resource, add to its options:  ${aliasesOption(marker, ctx.marker)}\n` +
        `If that resource is no longer in this stack's state, remove its secret PULUMI_RESOURCE on the server, and add:  import: "${existing.id}"`,
    );
  }
  throw new OwnershipError(`${conflict}, which is managed by ${marker}. No changes were made. Choose another name.`);
}

const hasSameImmutables = (existing: RemoteDeployment, desired: Inputs) =>
  !driftPaths(existing, desired).some((path) => IMMUTABLE.some((pattern) => matchesPath(path, pattern)));

/** Whether an interrupted run probably created it: it has no live revision yet, or it is recent. */
function isLikelyInterrupted(existing: RemoteDeployment, ctx: Context): boolean {
  return existing.activeRevisionId == null || ctx.serverNow() - createdAtMs(existing) < ctx.settings.resumeWithinMs;
}

/** Margin for the Date header, which has whole seconds. */
const MARGIN_MS = 2000;

export function createdInThisRun(existing: RemoteDeployment, ctx: Context): boolean {
  return createdAtMs(existing) >= ctx.runStartedAt() - MARGIN_MS;
}

/** Whether it was certainly created since this run began; a time in the future proves nothing. */
function createdByOtherRun(existing: RemoteDeployment, ctx: Context): boolean {
  const created = createdAtMs(existing);
  return created > ctx.runStartedAt() + MARGIN_MS && created <= ctx.serverNow() + MARGIN_MS;
}

/** Returns the time of creation in milliseconds; NaN, which compares as neither recent nor old, if the server does not return it. */
const createdAtMs = (existing: RemoteDeployment) =>
  Number(parseServerTimestamp(existing.createdAt) ?? Number.NaN) / 1000;
