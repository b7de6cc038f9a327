/** Sends an update, and finds whether the server has applied it: after a lost response, or where it stored less. */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { sendWithRouteRetry } from "../../objects/server/optional-route";
import { diffPaths } from "../../schema/compare";
import { valueAt } from "../../schema/schema";
import { type Change, hasPathUnder, toUpdateRequest } from "./mapping";
import { isMasked, schemaOf, toInputs } from "./response";
import { isNewRevision } from "./rollout/new-revision";
import type { Inputs } from "./schema/inputs";

/** Updates a deployment. A lost response is resolved by what the server holds. */
export async function updateDeployment(
  { id }: RemoteDeployment,
  body: DeploymentBody,
  isApplied: (after: RemoteDeployment) => boolean,
  ctx: Context,
): Promise<RemoteDeployment> {
  try {
    return await ctx.clients.controlPlane.updateDeployment(id, body);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    const after = await sendWithRouteRetry(() => ctx.clients.controlPlane.getDeployment(id), ctx.clock);
    if (!isApplied(after)) throw error;
    return after;
  }
}

interface SentUpdate {
  change: Change;
  body: DeploymentBody;
  before: RemoteDeployment;
  marker: string | undefined;
}

/**
 * Returns a function that decides whether an update was applied whose response was lost. If secrets are masked, or a
 * source was uploaded, whose path may be reused, only a new revision proves it.
 */
export const isUpdateApplied =
  ({ change, body, before, marker }: SentUpdate) =>
  (current: RemoteDeployment): boolean => {
    const { sourceTarballPath } = body.sourceRevisionConfig ?? {};
    const isSourceHeld = current.sourceRevisionConfig?.sourceTarballPath === sourceTarballPath;
    if (isMasked(current)) return isNewRevision(before)(current);
    if (sourceTarballPath != null && !(isSourceHeld && isNewRevision(before)(current))) return false;
    return toUpdateRequest(change, current, marker) === undefined;
  };

const SPEC = "sourceConfig.resourceSpec";

/**
 * Returns the sent paths at which the server still holds what it held before the request, and the inputs with these
 * values. A third value is a normal form of the declared one, such as a rounded number.
 */
export function findUnstored(
  before: RemoteDeployment,
  after: RemoteDeployment,
  desired: Inputs,
  body: DeploymentBody,
): { paths: string[]; inputs: Inputs } {
  const [held, heldBefore] = [after, before].map((remote) => toInputs(remote, desired, { isInState: true }));
  const schema = schemaOf(desired);
  const changed = new Set(diffPaths(schema, heldBefore, held));
  const paths = diffPaths(schema, held, desired).filter((path) => isSent(path, body) && !changed.has(path));
  // Servers round a specification, so that the next update would send it forever.
  const exact = paths.filter((path) => !path.startsWith(SPEC));
  return { paths, inputs: held ? withHeld(desired, held, exact) : desired };
}

const isSent = (path: string, { secrets, ...body }: DeploymentBody): boolean =>
  hasPathUnder([path], "secrets") ? secrets !== undefined : valueAt(body, path.split(".").slice(0, 2)) !== undefined;

/**
 * Returns the declared inputs with the server's values of the groups that contain the paths, without a specification.
 */
function withHeld(desired: Inputs, held: Inputs, paths: readonly string[]): Inputs {
  const groups = (Object.keys(held) as (keyof Inputs)[]).filter((group) => hasPathUnder(paths, group));
  const merged = { ...desired, ...Object.fromEntries(groups.map((group) => [group, held[group]])) };
  const resourceSpec = desired.sourceConfig?.resourceSpec;
  return resourceSpec ? { ...merged, sourceConfig: { ...merged.sourceConfig, resourceSpec } } : merged;
}
