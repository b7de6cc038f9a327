/**
 * Sends an update, and finds whether the server has applied it: after a lost response, where it stored less, and where
 * it must make a revision (API `3.1`). Nothing is deployed before that revision is seen, whatever the response says.
 */
import type { DeploymentBody, Deployment as RemoteDeployment } from "../../api/control-plane/client";
import { sendWithRouteRetry, UnsupportedError } from "../../api/profile/learned-profile";
import type { Context } from "../../definition/context";
import { MAX_OUTDATED_MS, readUntil } from "../../definition/wait";
import { CanceledError } from "../../http/clock";
import { HttpError, ignoreNotFound, ignoreUnsupported } from "../../http/errors";
import { diffPaths } from "../../schema/compare";
import { valueAt } from "../../schema/schema";
import { alignDetails } from "../../text/format";
import { UserError } from "../../text/user-error";
import { type Change, hasPathUnder, hasVariable, toUpdateRequest, variableOf } from "./mapping/mapping";
import { isMasked } from "./mapping/marker";
import { driftPaths, schemaOf, toInputs } from "./mapping/response";
import { readOwn } from "./ownership";
import { isChosen } from "./schema/choices";
import { type Inputs, MAY_REVISE, SPEC } from "./schema/inputs";

/** @param isApplied Whether the server holds an update without a response. Default: whether it made a revision. */
export async function updateDeployment(
  before: RemoteDeployment,
  body: DeploymentBody,
  ctx: Context,
  isApplied: (after: RemoteDeployment) => boolean = (after) => hasNewRevision(before, after),
): Promise<RemoteDeployment> {
  const { id } = before;
  const { controlPlane, deploymentCache } = ctx.clients;
  const request = {
    send: () => controlPlane.updateDeployment(id, body),
    exists: async () => (await deploymentCache.findCurrent(id)) !== undefined,
  };
  const updated = controlPlane.profile.send("deployments-patch", request).catch((error: unknown) => {
    throw error instanceof UnsupportedError && NAMED.test(error.rejection.detail) ? error.rejection : error;
  });
  return (await unlessLost(updated, id, isApplied, ctx)) ?? readOwn(id, undefined, ctx);
}

/** What an update names and a server may not find: its 404 is not about the route, such as `/images not found`. */
export const NAMED = /(?<!\/)\b(integration|listener|repository|branch|tag|commit|image)(_\w+)?\b/i;

/** Redeploys a revision; undefined if the server lacks the route. */
export async function redeployRevision(
  before: RemoteDeployment,
  revisionId: string | null | undefined,
  ctx: Context,
): Promise<RemoteDeployment | undefined> {
  if (revisionId == null) return undefined;
  const redeployed = ctx.clients.controlPlane.redeployRevision(before.id, revisionId).catch(ignoreUnsupported);
  return unlessLost(redeployed, before.id, (after) => hasNewRevision(before, after), ctx);
}

/** Returns the response to a change; what the server holds if the response is lost and the change was applied. */
async function unlessLost<T>(
  response: Promise<T>,
  id: string,
  isApplied: (after: RemoteDeployment) => boolean,
  ctx: Context,
): Promise<T | RemoteDeployment> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    const read = () => ctx.clients.controlPlane.getDeployment(id);
    const after = await sendWithRouteRetry(read, ctx.clock).catch((failure: unknown) => {
      // Without it, the outcome stays unknown.
      throw failure instanceof CanceledError ? failure : error;
    });
    if (!isApplied(after)) throw error;
    return after;
  }
}

/** An update that is sent, and the deployment as it was read before. Without a body, nothing has to be sent. */
export interface SentUpdate {
  change: Change;
  before: RemoteDeployment;
  body: DeploymentBody | undefined;
  marker: string | undefined;
}

/** Whether an unanswered update was applied. With masked secrets or an upload, only a new revision proves it. */
export function isUpdateApplied({ change, body, before, marker }: SentUpdate, current: RemoteDeployment): boolean {
  const { sourceTarballPath } = body?.sourceRevisionConfig ?? {};
  const isSourceHeld = current.sourceRevisionConfig?.sourceTarballPath === sourceTarballPath;
  const differs = () => driftPaths(current, change.inputs).some((path) => change.paths.includes(path));
  if (isMasked(current)) return hasNewRevision(before, current) && !differs();
  if (sourceTarballPath != null && !(isSourceHeld && hasNewRevision(before, current))) return false;
  return toUpdateRequest(change, current, marker) === undefined;
}

/**
 * Returns the sent paths at which the server still holds what it held before the request, and the inputs with these
 * values. A third value is a normal form of the declared one, such as a rounded number.
 */
export function findUnstored(sent: SentUpdate, after: RemoteDeployment): { paths: string[]; inputs: Inputs } {
  const desired = sent.change.inputs;
  const [held, heldBefore] = [after, sent.before].map((remote) => toInputs(remote, desired, { isInState: true }));
  const schema = schemaOf(desired);
  const changed = new Set(diffPaths(schema, heldBefore, held));
  // Servers show some fields as null, whatever was sent.
  const isNotShown = (path: string) => valueAt(held, path) === undefined;
  const { paths: requested, chosen } = sent.change;
  const isServers = (path: string) => !requested.includes(path) && isChosen(path, valueAt(held, path), chosen);
  const paths = diffPaths(schema, held, desired).filter(
    (path) =>
      isSent(path, sent) && !changed.has(path) && !isServers(path) && !(MAY_BE_NULL.test(path) && isNotShown(path)),
  );
  // Servers round a specification, so that the next update would send it forever.
  const exact = paths.filter((path) => !path.startsWith(SPEC));
  return { paths, inputs: held && exact.length > 0 ? withHeld(desired, held, exact) : desired };
}

const MAY_BE_NULL = /^(extra|secretReferences)\b/;

/** Whether a request sets a path. References are sent as a whole, and variables of others as they are. */
export function isSent(path: string, { change: { paths }, body = {} }: SentUpdate): boolean {
  if (hasVariable([path])) return body.secrets !== undefined && paths.map(variableOf).includes(variableOf(path));
  return valueAt(body, path.split(".").slice(0, hasPathUnder([path], "secretReferences") ? 1 : 2)) != null;
}

/** Returns the declared inputs with the server's values of the paths' groups, without a specification. */
function withHeld(desired: Inputs, held: Inputs, paths: readonly string[]): Inputs {
  const groups = (Object.keys(held) as (keyof Inputs)[]).filter((group) => hasPathUnder(paths, group));
  const merged = { ...desired, ...Object.fromEntries(groups.map((group) => [group, held[group]])) };
  const resourceSpec = desired.sourceConfig?.resourceSpec;
  return resourceSpec ? { ...merged, sourceConfig: { ...merged.sourceConfig, resourceSpec } } : merged;
}

/** The server accepted a request that must make a revision, and made none. */
export class NoRevisionError extends UserError {
  override name = "NoRevisionError";

  constructor(
    readonly remote: RemoteDeployment,
    desired: Inputs,
  ) {
    const { id, latestRevisionId, activeRevisionId } = remote;
    super(
      [
        `Deployment "${desired.name}": the server accepted the request, but made no revision of it within ` +
          `${MAX_OUTDATED_MS / 1000} s, so nothing was deployed.`,
        ...alignDetails([
          ["deployment", id],
          ["latest", latestRevisionId ?? "no revision"],
          ["active", activeRevisionId ?? "no revision"],
          ...driftPaths(remote, desired).map((path) => ["holds", describeHeld(path, remote, desired)] as const),
        ]),
        "Run `pulumi up` again: it sends the change again. If that fails as well, ask the operators of the server.",
      ].join("\n"),
    );
  }
}

/** Describes a difference, without the values of secrets. */
function describeHeld(path: string, remote: RemoteDeployment, desired: Inputs): string {
  if (hasVariable([path]) || hasPathUnder([path], "extra")) return `another value of ${path} than declared`;
  const [held, declared] = [remote, desired].map((one) => JSON.stringify(valueAt(one, path)) ?? "nothing");
  return `${path} ${held}, declared is ${declared}`;
}

/** Whether a body makes a revision (API `3.1`). An empty list of secrets counts as absent. */
export const makesRevision = ({ secrets, sourceConfig, sourceRevisionConfig }: DeploymentBody): boolean =>
  (secrets?.length ?? 0) > 0 ||
  sourceConfig?.resourceSpec != null ||
  Object.values(sourceRevisionConfig ?? {}).some((value) => value != null);

/** Whether an update makes a revision on some platforms, and this is one of them. */
export const mayMakeRevision = (body: DeploymentBody, ctx: Context): boolean =>
  !makesRevision(body) &&
  MAY_REVISE.some((path) => valueAt(body, path) !== undefined) &&
  ctx.clients.controlPlane.profile.has("commands-make-revisions") === true;

/** Whether an update must make a revision of a deployment: one without content has nothing that could run. */
export function mustMakeRevision(body: DeploymentBody, { source, latestRevisionId }: RemoteDeployment): boolean {
  const { imageUri, sourceTarballPath } = body.sourceRevisionConfig ?? {};
  const isEmpty = /^internal_(docker|source)$/.test(source ?? "") && latestRevisionId == null;
  return makesRevision(body) && (!isEmpty || imageUri != null || sourceTarballPath != null);
}

type Earlier = Pick<RemoteDeployment, "latestRevisionId">;
export const hasNewRevision = ({ latestRevisionId }: Earlier, current: RemoteDeployment): boolean =>
  current.latestRevisionId != null && current.latestRevisionId !== latestRevisionId;

/** Returns the deployment with its new revision. @param after As the response shows it. @throws NoRevisionError. */
export async function waitForNewRevision(
  before: Earlier,
  after: RemoteDeployment,
  desired: Inputs,
  ctx: Context,
): Promise<RemoteDeployment> {
  const read = async () => (await ctx.clients.controlPlane.getDeployment(after.id).catch(ignoreNotFound)) ?? after;
  const wait = { kind: "revision", what: `a new revision of deployment ${after.id}`, read };
  const current = await readUntil(after, (one) => hasNewRevision(before, one), wait, ctx);
  if (!hasNewRevision(before, current)) throw new NoRevisionError(current, desired);
  return current;
}
