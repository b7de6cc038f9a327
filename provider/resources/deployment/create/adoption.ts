/** Whose deployment is it? And: is this still the workspace it is in? (docs/design-decisions.md, ownership) */
import type { Deployment as Answer } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { aliasesOption, isSameStack, OwnershipError } from "../../../definition/ownership";
import type { ExistingResource } from "../../../definition/results";
import { matchesPath } from "../../../schema/schema";
import { parseServerTimestamp } from "../../../schema/timestamp";
import { IMMUTABLE } from "../fields";
import type { Inputs } from "../inputs";
import { isMasked, markerIn, unlike } from "../mapping";

/**
 * A deployment of the wanted name exists: what an interrupted run of this resource left, or somebody else's.
 * @throws OwnershipError that says whose it is and what to do.
 */
export function recognise(taken: Answer, wanted: Inputs, ctx: Context): ExistingResource {
  const marker = markerIn(taken);
  const here = `the name "${wanted.name}" is taken by deployment ${taken.id}`;
  if (ctx.clients.deploymentCache.undeletable.has(taken.id)) {
    throw new OwnershipError(
      `${here}, which was to be replaced, but this service cannot delete it: the name will never come free. Nothing was created: write another name, and remove the old deployment by hand.`,
    );
  }
  const takeOver = `To take it over, add to the resource's options:  import: "${taken.id}"`;
  if (marker === undefined || isMasked(taken)) {
    if ((!ctx.settings.ownerMarker || isMasked(taken)) && bornInThisRun(taken, ctx))
      return { id: taken.id, because: "it was created since this run began." };
    throw new OwnershipError(`${here}, which carries no mark of a Pulumi resource. Nothing was changed.\n${takeOver}`);
  }
  if (marker === ctx.marker) {
    // This run made nothing under this name, and the lock of a backend lets no other run begin.
    if (isOfAnotherRun(taken, ctx))
      throw new OwnershipError(
        `${here}, which another run of this stack created after this run began. No changes were made.\nIf the stack has two backends, give one of them up: both would manage this deployment, and a destroy of either deletes it. If that run was killed meanwhile, run \`pulumi up\` again.`,
      );
    if (sameImmutables(taken, wanted) && isFresh(taken, ctx))
      return {
        id: taken.id,
        because: "this resource created it in an earlier run that was interrupted, or retainOnDelete kept it.",
      };
    throw new OwnershipError(
      `${here}, which this resource created in an earlier run. Either retainOnDelete kept it, another Pulumi backend manages it, or this stack's state was lost. No changes were made.\n${takeOver}`,
    );
  }
  if (isSameStack(marker, ctx.marker)) {
    throw new OwnershipError(
      `${here}, which this stack manages as ${marker}. No changes were made.\n` +
        `If you renamed or moved the resource, add to its options:  ${aliasesOption(marker, ctx.marker)}\n` +
        `If that old resource is no longer in this stack's state:   import: "${taken.id}"`,
    );
  }
  throw new OwnershipError(`${here}, which belongs to ${marker}. Nothing was changed: choose another name.`);
}

const sameImmutables = (taken: Answer, wanted: Inputs) =>
  !unlike(taken, wanted).some((path) => IMMUTABLE.some((pattern) => matchesPath(path, pattern)));

/** The first revision is not through yet, or the deployment is young: then an interrupted run is the likely story. */
function isFresh(taken: Answer, ctx: Context): boolean {
  return taken.activeRevisionId == null || ctx.serverNow() - createdAt(taken) < ctx.settings.resumeWithinMs;
}

/** The Date header counts whole seconds, hence the margin. Milliseconds. */
const MARGIN_MS = 2000;

export function bornInThisRun(taken: Answer, ctx: Context): boolean {
  return createdAt(taken) >= ctx.runStartedAt() - MARGIN_MS;
}

/** Certainly created since this run began; a time in the future proves nothing. */
function isOfAnotherRun(taken: Answer, ctx: Context): boolean {
  const created = createdAt(taken);
  return created > ctx.runStartedAt() + MARGIN_MS && created <= ctx.serverNow() + MARGIN_MS;
}

/** Milliseconds; not a number where the service does not tell, which compares as neither young nor old. */
const createdAt = (taken: Answer) => Number(parseServerTimestamp(taken.createdAt) ?? Number.NaN) / 1000;
